import { describeDemo } from './describe-demo.ts'

describeDemo('fastify-demo', { usualPort: 3002, usualAdminPort: 9102 })

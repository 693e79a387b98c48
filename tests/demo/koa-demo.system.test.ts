import { describeDemo } from './describe-demo.ts'

describeDemo('koa-demo', { usualPort: 3003, usualAdminPort: 9103 })

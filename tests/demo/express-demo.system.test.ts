import { describeDemo } from './describe-demo.ts'

describeDemo('express-demo', { usualPort: 3001, usualAdminPort: 9101 })

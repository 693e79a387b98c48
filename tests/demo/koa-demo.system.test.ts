import { describeFramework } from './describe-framework.ts'

describeFramework('koa-demo', { usualPort: 3003, usualAdminPort: 9103 })

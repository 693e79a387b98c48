import { describeFramework } from './describe-framework.ts'

describeFramework('express-demo', { usualPort: 3001, usualAdminPort: 9101 })

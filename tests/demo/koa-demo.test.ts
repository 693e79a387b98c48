import { describeDemo } from './describe-demo.ts'

describeDemo('koa-demo', { usualPort: 3003 })

import { serve, launch, openPage } from './browser.mjs';
const s=await serve(); const b=await launch();
const [,, hash='', out='/tmp/t/a.png', w='1280', h='720', wait='2500']=process.argv;
const {page,errors}=await openPage(b,s.address,{viewport:{width:+w,height:+h}},(hash||'#scene=toys')+'&detail=2');
await page.waitForTimeout(+wait);
console.log(JSON.stringify(await page.evaluate(()=>({step:pliant.state.step,n:pliant.state.bodies.length,frames:pliant.frames,pace:pliant.pace}))));
await page.screenshot({path:out}); console.log(errors);
await b.close(); await s.stop();

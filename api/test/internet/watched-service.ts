// A service in a process of its own, whose memory and CPU a test can read. Its limits of time pass when the test says so.
import { manualClock, startTestService } from '../support.ts';

const { LOOKUP_ALLOW = '' } = process.env;
const { limit, advance } = manualClock();
const service = await startTestService({ LOOKUP_ALLOW, LOG_LEVEL: 'silent' }, { clock: { limit } });
process.on('message', (ms: number) => advance(ms));
process.on('disconnect', () => process.exit());
process.send!(service.url);

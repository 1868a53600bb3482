import { autocannon } from './autocannon.ts'
import { ccxt } from './ccxt.ts'
import type { Client } from './client.ts'
import { dredd } from './dredd.ts'
import { freqtrade } from './freqtrade.ts'
import {
  oapiCodegen,
  openapiGeneratorGo,
  openapiGeneratorJava,
  openapiGeneratorPython,
  openapiGeneratorTypescript,
  openapiPythonClient,
  openapiTypescript,
  orval,
} from './generated.ts'
import { portman } from './portman.ts'
import { schemathesis } from './schemathesis.ts'
import { waitOn } from './wait-on.ts'
import { zenotc } from './zenotc.ts'

const everyCall = 'compiles, and every operation is answered 2xx'

/** Which programs strangers bring, in which versions, and what they have to find. */
export const clients: readonly Client[] = [
  {
    name: 'schemathesis',
    needs: ['python3'],
    packages: { pip: ['schemathesis==4.32.5'] },
    // With the status that HTTP has for it, the checks of methods and of `Allow` have something to check.
    serving: ['--readings', 'http.wrongMethod=405'],
    bar: 'no failure beyond the list in `schemathesis/hooks.py`',
    run: schemathesis,
  },
  {
    name: 'zenotc',
    needs: ['python3'],
    packages: { pip: ['zenotc==0.2.2'] },
    serving: ['--readings', '@published-client'],
    bar: '46 of 46 methods that the specification covers, 45 at least',
    run: zenotc,
  },
  {
    name: 'zenotc-0.2.1',
    needs: ['python3'],
    packages: { pip: ['zenotc==0.2.1'] },
    serving: ['--readings', '@published-client'],
    bar: '46 of 46 methods that the specification covers, 45 at least',
    run: zenotc,
  },
  {
    name: 'openapi-generator-python',
    needs: ['python3', 'java'],
    packages: {
      pip: [
        'openapi-generator-cli==7.26.0',
        'pydantic==2.12.5',
        'python-dateutil==2.9.0.post0',
        'urllib3==2.7.0',
      ],
    },
    bar: everyCall,
    run: openapiGeneratorPython,
  },
  {
    name: 'openapi-generator-go',
    needs: ['python3', 'java', 'go'],
    packages: { pip: ['openapi-generator-cli==7.26.0'], goModules: ['gopkg.in/validator.v2@v2.0.1'] },
    bar: everyCall,
    run: openapiGeneratorGo,
  },
  {
    name: 'openapi-generator-java',
    needs: ['python3', 'java', 'mvn'],
    packages: { pip: ['openapi-generator-cli==7.26.0'] },
    bar: everyCall,
    run: openapiGeneratorJava,
  },
  {
    name: 'openapi-generator-typescript',
    needs: ['python3', 'java'],
    packages: {
      pip: ['openapi-generator-cli==7.26.0'],
      npm: ['typescript@5.9.3', '@types/node@20.19.43'],
    },
    bar: everyCall,
    run: openapiGeneratorTypescript,
  },
  {
    name: 'orval',
    needs: [],
    // The last one that runs on Node 20.
    packages: { npm: ['orval@7.9.0', 'typescript@5.9.3', '@types/node@20.19.43'] },
    bar: everyCall,
    run: orval,
  },
  {
    name: 'openapi-python-client',
    needs: ['python3'],
    packages: { pip: ['openapi-python-client==0.29.1'] },
    bar: everyCall,
    run: openapiPythonClient,
  },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    packages: {
      goTools: ['github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'],
      goModules: ['github.com/oapi-codegen/runtime@v1.8.0'],
    },
    bar: `${everyCall}; venue and admin API, OpenAPI 3.0 and 3.1`,
    run: oapiCodegen,
  },
  {
    name: 'openapi-typescript',
    needs: [],
    packages: {
      npm: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@20.19.43'],
    },
    bar: everyCall,
    run: openapiTypescript,
  },
  {
    name: 'portman',
    needs: [],
    // It needs tslib and does not say so.
    packages: { npm: ['@apideck/portman@1.33.0', 'newman@6.2.2', 'tslib@2.9.1'] },
    bar: 'all assertions',
    run: portman,
  },
  {
    name: 'dredd',
    needs: [],
    packages: { npm: ['dredd@14.1.0'] },
    bar: 'every transaction, content types to the letter',
    run: dredd,
  },
  {
    name: 'wait-on',
    needs: [],
    packages: { npm: ['wait-on@9.5.1'] },
    bar: 'no wait in vain, by HEAD and by GET',
    run: waitOn,
  },
  {
    name: 'ccxt',
    needs: ['python3'],
    packages: { pip: ['ccxt==4.5.90'] },
    bar: 'all unified calls right',
    run: ccxt,
  },
  {
    name: 'freqtrade',
    needs: ['python3'],
    python: [3, 11],
    packages: { pip: ['freqtrade==2026.9'] },
    bar: 'all orders of two minutes as the venue has them',
    run: freqtrade,
  },
  {
    name: 'autocannon',
    needs: [],
    packages: { npm: ['autocannon@9.0.0'] },
    serving: ['--readings', 'auth.futureMs=unlimited'],
    bar: 'no answer but 2xx, 300,000 requests on 8 connections among them',
    run: autocannon,
  },
]

//! The page that lies beside an exported model.

use std::fmt::Write as _;

use nodarium_env::{Information, Spec};

use super::Agreement;
use crate::network::NetworkConfig;

/// The text of the page.
pub(super) fn readme(
    spec: &Spec,
    network: &NetworkConfig,
    licence: &str,
    examples: usize,
    agreement: Option<&Agreement>,
) -> String {
    let (observation, actions, seats) = (spec.layout(network.insights).len(), spec.actions(), spec.seats);
    let choose = match spec.information {
        Information::Perfect => "policy[0].argmax()",
        Information::Hidden => "np.random.choice(len(names), p=policy[0] / policy[0].sum())",
    };
    let mut page = format!(
        r#"# A policy for {title}

A network that plays `{id}`, written by Nodarium. `policy.onnx` is the model, `policy.json` says all there is to know about it:
rules, the observation field by field, the name of each action, what to mind, and {examples} recorded positions with what must come out.
`policy.safetensors` has the weights alone.

| | name | type | shape |
|---|---|---|---|
| in | `observation` | float32 | `[batch, {observation}]` |
| in | `mask` | bool | `[batch, {actions}]`, true for each legal action |
| out | `logits` | float32 | `[batch, {actions}]`, -1e9 for what is illegal |
| out | `policy` | float32 | `[batch, {actions}]`, their softmax |
| out | `value` | float32 | `[batch, {seats}]`, expected returns: of the seat to act, then of the others in the order of play |

## Python
```python
import json, numpy as np, onnxruntime as ort

card = json.load(open("policy.json"))
names = card["actions"]["names"]
session = ort.InferenceSession("policy.onnx")
example = card["examples"][0]
observation = np.array([example["observation"]], np.float32)
mask = np.zeros((1, len(names)), bool)
mask[0, example["legal"]] = True
logits, policy, value = session.run(None, {{"observation": observation, "mask": mask}})
print(names[{choose}], value[0])
```

## JavaScript
```js
import {{ readFileSync }} from "node:fs";
import * as ort from "onnxruntime-node"; // in a browser: onnxruntime-web

const card = JSON.parse(readFileSync("policy.json", "utf8"));
const names = card.actions.names;
const session = await ort.InferenceSession.create("policy.onnx");
const example = card.examples[0];
const mask = new Uint8Array(names.length);
for (const action of example.legal) mask[action] = 1;
const {{ policy, value }} = await session.run({{
  observation: new ort.Tensor("float32", Float32Array.from(example.observation), [1, {observation}]),
  mask: new ort.Tensor("bool", mask, [1, names.length]),
}});
const likeliest = policy.data.indexOf(Math.max(...policy.data));
console.log(names[likeliest], value.data);
```

One action is one ply, and a seat may act several plies in a row: observe and ask again after each.
Licence: {licence}.
"#,
        title = spec.title,
        id = spec.id,
    );
    if let Some(Agreement { positions, same_best, policy, value }) = agreement {
        let _ = write!(
            page,
            "\nWeights are rounded to 16 bits. Against the trained ones, on {positions} positions of random play: the same \
             likeliest action in {same_best}, shares within {policy:.1e}, values within {value:.1e}.\n"
        );
    }
    page
}

// Writes keys.json and issuers.json into the current folder, and prints a token of each user on a line.
//
// usage: node make-token.js [SECONDS USER ...]. By default, the token of the user ann is valid for 600 seconds.
const { generateKeyPairSync, sign } = require("crypto");
const fs = require("fs");

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const key = { ...publicKey.export({ format: "jwk" }), alg: "ES256", kid: "dev" };
const issuer = "https://login.example.com";
fs.writeFileSync("keys.json", JSON.stringify({ keys: [key] }));
fs.writeFileSync("issuers.json", JSON.stringify([
  { provider: "email", audience: ["gymrats"], issuer, keys: `${process.cwd()}/keys.json` },
]));
const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const [seconds = "600", ...users] = process.argv.slice(2);
const exp = Math.floor(Date.now() / 1000) + Number(seconds);
for (const sub of users.length ? users : ["ann"]) {
  const text = `${part({ alg: "ES256", kid: "dev" })}.${part({ iss: issuer, aud: "gymrats", sub, exp })}`;
  const signature = sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
  console.log(`${text}.${signature.toString("base64url")}`);
}

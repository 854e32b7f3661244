// Every statement that the runner sends. The `.sql` files of this folder contain them: `queue/fold.sql` is
// `SQL.Queue.fold`, and `SQL.runner` is the runner's part of a schema. A target needs one file of Swift; the plugin
// EmbedSQL generates the rest while building.

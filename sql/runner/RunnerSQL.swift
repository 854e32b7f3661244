// Every statement that the runner sends, as the `.sql` files of this folder hold it: `queue/fold.sql` is
// `SQL.Queue.fold`, and `SQL.runner` is its part of a schema. A target needs one file of Swift; the plugin
// EmbedSQL generates the rest while building.

// For whom a transaction speaks, as the `.sql` files of this folder hold it: `SQL.identity` is their part of a
// schema. A target needs one file of Swift; the plugin EmbedSQL generates the rest while building.

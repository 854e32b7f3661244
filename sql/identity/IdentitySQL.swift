// The identity that a transaction acts for. The `.sql` files of this folder contain it: `SQL.identity` is the identity
// part of a schema. A target needs one file of Swift; the plugin EmbedSQL generates the rest while building.

// `parcels/count_days.sql` is `SQL.Parcels.countDays`, and `SQL.orders` is this program's part of a schema.
// A target needs one file of Swift; the plugin EmbedSQL generates the rest while building.

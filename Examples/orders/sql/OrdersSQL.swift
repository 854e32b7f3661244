// `parcels/count_days.sql` is `SQL.Parcels.countDays`, and `SQL.orders` is this program's part of a
// schema. The target needs one Swift file. The plugin EmbedSQL generates the other files when the
// package is built.

// The file `parcels/count_days.sql` becomes `SQL.Parcels.countDays`, and `SQL.orders` is the schema
// module of this program. A target needs at least one Swift file. The plugin EmbedSQL generates the
// other Swift files when the package is built.

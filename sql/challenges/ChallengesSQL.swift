// Every statement about challenges, as the `.sql` files of this folder hold it: `weeks/close_weeks.sql` is
// `SQL.Weeks.closeWeeks`, and `SQL.challenges` is their part of a schema. A target needs one file of Swift;
// the plugin EmbedSQL generates the rest while building.

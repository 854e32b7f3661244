// Every statement about challenges. The `.sql` files of this folder contain them: `weeks/close_weeks.sql` is
// `SQL.Weeks.closeWeeks`, and `SQL.challenges` is the challenges part of a schema. A target needs one file of Swift;
// the plugin EmbedSQL generates the rest while building.

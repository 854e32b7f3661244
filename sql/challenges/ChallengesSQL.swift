// The statements about challenges, from the `.sql` files in this folder. For example, the file
// `weeks/close_weeks.sql` becomes `SQL.Weeks.closeWeeks`, and `SQL.challenges` is the schema
// module. This file exists because a target needs at least one Swift file. During the build, the
// plugin EmbedSQL generates the other Swift files.

// The file `reminders/send_reminders.sql` becomes `SQL.Reminders.sendReminders`, and `SQL.invoices`
// is the schema module of this program. A target needs at least one Swift file. The plugin EmbedSQL
// generates the other Swift files when the package is built.

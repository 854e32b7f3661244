-- Closes a report. $1: the report's id. Rows: one row, with true if the report was open, false if the report was
-- already closed, and null if no report has this id. Locks: the report.
select close_report($1)

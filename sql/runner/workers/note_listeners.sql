-- Records whether any worker listens: if none does, no write tries to wake one. Rows: 1 if that has changed. Locks:
-- then the row of event_segment.
update event_segment
set has_listener = w.listens
from (select exists (select from worker where listens) as listens) w
where has_listener <> w.listens

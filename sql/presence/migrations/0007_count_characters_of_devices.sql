-- begin_session accepts a device name of 100 characters, and the table refused one of more than 100 bytes with 23514.

alter table session drop constraint session_device_check,
  add constraint session_device_check check (char_length(device) <= 100);

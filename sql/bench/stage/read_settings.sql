-- Reads the settings that the results of the bench depend on. Rows: name and value. Locks: none.
select name, current_setting(name)
from unnest(array['server_version', 'fsync', 'synchronous_commit', 'full_page_writes',
  'shared_buffers', 'max_wal_size']) name

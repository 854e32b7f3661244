-- Returns a text without leading and trailing whitespace and line breaks. Whitespace is defined as in Unicode and in
-- the client library.
create or replace function trimmed(content text) returns text
language sql immutable strict parallel safe
return btrim(content, e'\t\n\u000b\f\r \u0085\u00a0\u1680'
  || e'\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000')

-- oldest release: 0.1.0
-- A claimed row is up to a third longer than a pending one. With half of the page free, one claim in four found no room on its page
-- and wrote to every index. Pages that exist keep their rows.
ALTER TABLE terce.events SET (fillfactor = 42);

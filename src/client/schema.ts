// The API as types. Made by npm run client from its OpenAPI document: change that, not this.
export interface paths {
  '/user/import': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Import people (CSV)
     * @description Creates a person for each row of a CSV file in UTF-8 of up to 64 MiB, while it is uploaded. The first line names the columns. Each row is accepted or rejected on its own. A person who exists already, by external id, is not changed, so a file can be imported again. A row without an external id gets one derived from its values. On Cloudflare and AWS Lambda a request reads up to 20,000 rows; then `next` is the row to continue with. If an error occurs after some rows, the problem has `soFar`.
     */
    post: operations['importUsers']
    delete?: never
  }
  '/user/export': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Export people
     * @description Exports all people, in order of creation. The last line marks the end: `#end` in the first cell, or `{"end":true}`; without it the export is incomplete. A page that ends before has the header `Terce-Next-Cursor`, and all pages joined are one file. In CSV, a cell that a spreadsheet would read as a formula is prefixed with a quote.
     */
    get: operations['exportUsers']
    put?: never
    post?: never
    delete?: never
  }
  '/user/by-external-id/{externalId}': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Read a person by external id
     * @description Returns the person who has this external id. With If-None-Match, returns 304 if they have not changed.
     */
    get: operations['readUserByExternalId']
    /**
     * Create or change a person by external id
     * @description Creates the person with this external id as POST /user does, or changes them as PUT /user/{id} does. Safe to repeat for ever and to call at the same time: an external id has one person, and a request that changes nothing writes nothing and keeps the version. The body is the whole person; `email` and `language` keep their value if they are left out, and null clears them. `sendTodayNow` applies when the person is created. With If-Match, a person who does not exist or has another version is OUTDATED. After the person was deleted, the request creates a new one. With `dryRun=true`, returns what would happen and writes nothing. The body may have at most 64 KiB.
     */
    put: operations['upsertUser']
    post?: never
    delete?: never
  }
  '/user': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List people
     * @description Lists people page by page, in order of creation or of `sort`. A page may have fewer people than `limit`, or none, and still a `nextCursor`: continue until it is null.
     */
    get: operations['listUsers']
    put?: never
    /**
     * Create a person
     * @description Creates a user and schedules the next birthday message for DELIVER_AT (09:00 by default) in their timezone, atomically. The body may have at most 64 KiB.
     */
    post: operations['createUser']
    delete?: never
  }
  '/user/bulk': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Create many people
     * @description Creates up to 1000 people. Each is accepted or rejected on its own; `results` has one entry for each, in the order given. The body may have at most 1 MiB.
     */
    post: operations['createUsers']
    delete?: never
  }
  '/user/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Read a person
     * @description Returns one person. With If-None-Match, returns 304 if they have not changed.
     */
    get: operations['readUser']
    /**
     * Change a person
     * @description Changes the given fields; `email: null` clears the address. A new date of birth or timezone reschedules pending messages. A message that was claimed before (in flight, waiting for a retry, or parked) goes out as planned and is counted as skipped. With `dryRun=true`, returns what would be rescheduled and changes nothing. The body may have at most 64 KiB.
     */
    put: operations['changeUser']
    post?: never
    /**
     * Delete a person
     * @description Permanently deletes a person, their events, and the content of every stored response that mentions them. A second after the response, no message to them starts; a message in flight still arrives.
     */
    delete: operations['deleteUser']
  }
  '/occasion/preview': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Preview an occasion
     * @description Returns the next occurrences of an occasion without storing it. Notes a moved leap day, a clock change, a skipped date, or a day that another calendar lacks.
     */
    post: operations['previewOccasion']
    delete?: never
  }
  '/occasion-type': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List types of occasions
     * @description Lists the types that have a built-in text, and the types of all stored occasions, in order of name.
     */
    get: operations['listOccasionTypes']
    put?: never
    post?: never
    delete?: never
  }
  '/user/{id}/occasion': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List the occasions of a person
     * @description Lists the occasions of a person, including the birthday, each with its next event. Reminders of tasks are under /task.
     */
    get: operations['listOccasions']
    put?: never
    /**
     * Add an occasion
     * @description Adds an occasion to a person, such as a work anniversary. Messages go out at its local time in the timezone of the person. With `dryRun=true`, nothing is stored and the idempotency key is ignored.
     */
    post: operations['createOccasion']
    delete?: never
  }
  '/occasion/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Read an occasion
     * @description One occasion with its next event.
     */
    get: operations['readOccasion']
    /**
     * Change an occasion
     * @description Changes the given fields. A pending message is rescheduled; a message that was claimed before (in flight, waiting for a retry, or parked) goes out as planned. An occurrence that was sent is not sent again. With `dryRun=true`, nothing is stored.
     */
    put: operations['changeOccasion']
    post?: never
    /**
     * Delete an occasion
     * @description Permanently deletes an occasion and its events. The birthday that a person is created with cannot be deleted: pause it instead. The occasion of a task is deleted with the task.
     */
    delete: operations['deleteOccasion']
  }
  '/occasion/{id}/pause': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Pause an occasion
     * @description Pauses an occasion and deletes its pending message. A second after the response, no message of it starts; a message in flight still arrives. Safe to repeat.
     */
    post: operations['pauseOccasion']
    delete?: never
  }
  '/occasion/{id}/resume': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Resume a paused occasion
     * @description Resumes an occasion with the next occurrence. Missed messages are not sent. Safe to repeat.
     */
    post: operations['resumeOccasion']
    delete?: never
  }
  '/task': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List tasks
     * @description Lists tasks page by page, in order of creation.
     */
    get: operations['listTasks']
    put?: never
    /**
     * Create a task
     * @description Creates a task and schedules its reminder `remindBefore` its due time, or now if that has passed. A task that is past due is stored without a reminder.
     */
    post: operations['createTask']
    delete?: never
  }
  '/task/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Read a task
     * @description Returns one task, its next reminder, and all delivered reminders.
     */
    get: operations['readTask']
    /**
     * Change a task
     * @description Changes the given fields. A pending reminder moves with the due time. After a reminder was delivered, a new due time gets another one, at least 24 hours after that one.
     */
    put: operations['changeTask']
    post?: never
    /**
     * Delete a task
     * @description Permanently deletes a task and its reminders.
     */
    delete: operations['deleteTask']
  }
  '/task/{id}/complete': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Complete a task
     * @description Completes a task and cancels its reminder. A second after the response, no reminder of it starts; a reminder in flight still arrives. Safe to repeat.
     */
    post: operations['completeTask']
    delete?: never
  }
  '/event': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List events
     * @description Lists events page by page, in order of their first due time, replays by the time of the replay; with `order=newest`, the latest first. A filter is tried on up to 10,000 events for each request, so a page may have fewer events than `limit`, or none, and still a `nextCursor`: continue until it is null.
     */
    get: operations['listEvents']
    put?: never
    post?: never
    delete?: never
  }
  '/user/{id}/event': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List the events of a person
     * @description Lists the events of one person page by page, in order of their first due time, replays by the time of the replay; with `order=newest`, the latest first. A filter is tried on up to 10,000 events for each request, so a page may have fewer events than `limit`, or none, and still a `nextCursor`: continue until it is null.
     */
    get: operations['listEventsOfUser']
    put?: never
    post?: never
    delete?: never
  }
  '/event/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Read an event
     * @description Returns one event with all delivery attempts, its moves, the event it replays, its replays, and its successor.
     */
    get: operations['readEvent']
    put?: never
    post?: never
    delete?: never
  }
  '/event/{id}/explain': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Explain an event
     * @description Explains in words why the event is due at its instant and what happened to it. Contains no name and no message text.
     */
    get: operations['explainEvent']
    put?: never
    post?: never
    delete?: never
  }
  '/event/{id}/replay': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Replay a failed event
     * @description Creates a new event that sends the message of a FAILED event again, at once. The failed event does not change. Safe to repeat: there is no second replay while one is in progress or after one was delivered. The body is optional.
     */
    post: operations['replayEvent']
    delete?: never
  }
  '/event/replay': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Replay failed events
     * @description Replays all FAILED events that match, like POST /event/{id}/replay. An empty object matches all; `people` selects the people as GET /user does. Count them with `dryRun` first. If more match than `limit`, send `next` of the response as the next request.
     */
    post: operations['replayEvents']
    delete?: never
  }
  '/event/{id}/send-now': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Send a pending event now
     * @description For development and tests: it exists while no API key is needed, or with ALLOW_SEND_NOW=true. Makes a pending event due at once. The message, its key, its occurrence and the next event are those of its own time.
     */
    post: operations['sendEventNow']
    delete?: never
  }
  '/event/{id}/request': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Build the signed request of an event
     * @description Returns the request that would deliver the event now, with a new signature, and sends nothing. The URL and the signature are credentials, so this needs the scope admin and is recorded in the audit log. Only for webhooks, and from the first claim on: before that there is no body.
     */
    post: operations['buildRequest']
    delete?: never
  }
  '/template': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List templates
     * @description Lists all stored templates. Other types use the built-in text, if there is one.
     */
    get: operations['listTemplates']
    put?: never
    post?: never
    delete?: never
  }
  '/template/preview': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Preview a template
     * @description Renders a text for the next occurrence of a stored user (`userId`), of a person you describe (`person`), or of an example. Stores and sends nothing.
     */
    post: operations['previewTemplate']
    delete?: never
  }
  '/template/{type}': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Read the template for everybody
     * @description Returns one template. With If-None-Match, returns 304 if it has not changed.
     */
    get: operations['readTemplate']
    /**
     * Store the template for everybody
     * @description Creates or replaces the template. A text that cannot be rendered is rejected with line and column. New messages use it within seconds.
     */
    put: operations['putTemplate']
    post?: never
    /**
     * Delete the template for everybody
     * @description Deletes a template. Messages that are already rendered do not change.
     */
    delete: operations['deleteTemplate']
  }
  '/template/{type}/{language}': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Read the template for a language
     * @description Returns one template. With If-None-Match, returns 304 if it has not changed.
     */
    get: operations['readTemplateForLanguage']
    /**
     * Store the template for a language
     * @description Creates or replaces the template. A text that cannot be rendered is rejected with line and column. New messages use it within seconds.
     */
    put: operations['putTemplateForLanguage']
    post?: never
    /**
     * Delete the template for a language
     * @description Deletes a template. Messages that are already rendered do not change.
     */
    delete: operations['deleteTemplateForLanguage']
  }
  '/tz': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Read timezone data
     * @description Returns the IANA release in use, the release that events were planned with, and the zones that differ.
     */
    get: operations['readTimezones']
    put?: never
    post?: never
    delete?: never
  }
  '/tz/replan': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Replan after a timezone change
     * @description Reschedules pending events by the timezone rules of this process. This also happens at startup; call it after a rollout during which an older release kept planning. Safe to repeat and beside running workers. Responds when it is finished, which can take minutes with many people. On Cloudflare it moves a part, and responds with `complete: false`; `GET /tz` shows which timezones still differ.
     */
    post: operations['replanTimezones']
    delete?: never
  }
  '/channel': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List channels
     * @description Lists all channels.
     */
    get: operations['listChannels']
    put?: never
    /**
     * Create a channel
     * @description Creates a webhook, SMTP or mail provider channel. The host of each is checked now and at every connection: unless ALLOW_PRIVATE_TARGETS is true, it must be public and the way to it encrypted.
     */
    post: operations['createChannel']
    delete?: never
  }
  '/channel/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Read a channel
     * @description Returns one channel with its status and active secrets (never their text).
     */
    get: operations['readChannel']
    /**
     * Change a channel
     * @description Changes the given fields. Workers follow within seconds. The API key of a mail provider stays with the host of its baseUrl: give apiKey again to use another host. Of the channel of WEBHOOK_URL only isDefault can be changed.
     */
    put: operations['changeChannel']
    post?: never
    /**
     * Delete a channel
     * @description Deletes a channel and its secrets. Rejected for the default channel, and while an occasion names the channel or an open event was last sent to it. The history keeps its id.
     */
    delete: operations['deleteChannel']
  }
  '/channel/{id}/rotate': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Rotate the secret
     * @description Replaces the secret. For webhooks, the previous secret also signs for one day, so that the receiver can change over.
     */
    post: operations['rotateChannelSecret']
    delete?: never
  }
  '/channel/{id}/test': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Test a channel
     * @description Sends a test message and returns the result: a signed webhook, or a mail to the address of the sender.
     */
    post: operations['testChannel']
    delete?: never
  }
  '/channel/{id}/pause': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Pause a channel
     * @description Pauses a channel. Its events wait until you resume it.
     */
    post: operations['pauseChannel']
    delete?: never
  }
  '/channel/{id}/resume': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Resume a channel
     * @description Resumes a paused or disabled channel. Waiting events follow within seconds, on Cloudflare and AWS within two minutes.
     */
    post: operations['resumeChannel']
    delete?: never
  }
  '/channel/{id}/disable': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Disable a channel
     * @description Disables a channel. Its due events fail with CHANNEL_DISABLED and can be replayed later.
     */
    post: operations['disableChannel']
    delete?: never
  }
  '/key': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List API keys
     * @description Lists all stored keys, including revoked ones. Keys from TERCE_API_KEYS are not stored.
     */
    get: operations['listKeys']
    put?: never
    /**
     * Create an API key
     * @description Returns the key once; only its hash is stored. Once a key exists, every request for data needs one.
     */
    post: operations['createKey']
    delete?: never
  }
  '/key/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke an API key
     * @description Revokes the key, in every process within seconds.
     */
    delete: operations['revokeKey']
  }
  '/audit': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List the audit log
     * @description Returns security-relevant actions and rejected requests, the newest first. Entries contain ids, no names of people. `terce doctor` verifies the chain of hashes.
     */
    get: operations['listAudit']
    put?: never
    post?: never
    delete?: never
  }
  '/ledger': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List the daily accounts
     * @description Returns the account of each local calendar day, the newest first: how many messages were owed, and what became of them. A day is closed soon after it has ended in every timezone, at 12:00 UTC of the next day.
     */
    get: operations['listLedger']
    put?: never
    post?: never
    delete?: never
  }
  '/ledger/{day}': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Read the account of a day
     * @description Returns the account of a day and its lines page by page, each with its reason and the journal entry that explains it. Lines of people who were deleted have no ids and no instants. While the account is computed, the lines are those of the people so far.
     */
    get: operations['readLedgerDay']
    put?: never
    post?: never
    delete?: never
  }
  '/ledger/{day}/file': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Export closed days
     * @description Returns closed days as one JSON file that can be verified without the database: the signed header of each day, and the column and the commitment of each line, about 80 bytes. The lines of a pruned day are null. Contains no personal data. AWS Lambda returns at most 6 MB.
     */
    get: operations['exportLedger']
    put?: never
    post?: never
    delete?: never
  }
  '/event/{id}/proof': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Prove an event
     * @description Returns the newest line of the event, or that of a day, with the hashes that lead from it to the signed root of the day. An event that was open when its day was closed has lines on several days. Verify it with `terce ledger verify`. Reads all lines of the day.
     */
    get: operations['proveEvent']
    put?: never
    post?: never
    delete?: never
  }
  '/feed': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List calendar feeds
     * @description Lists all feeds. Their URLs are returned only when a feed is created.
     */
    get: operations['listFeeds']
    put?: never
    /**
     * Create a calendar feed
     * @description Creates a secret URL that a calendar program can subscribe to, for one person or for everyone. It is returned once. Anyone with the URL can read names and dates without a key until the feed is deleted.
     */
    post: operations['createFeed']
    delete?: never
  }
  '/feed/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Delete a calendar feed
     * @description Deletes the feed; its URL stops working.
     */
    delete: operations['deleteFeed']
  }
  '/calendar/{token}.ics': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Read a calendar feed
     * @description Returns planned messages as iCalendar (RFC 5545), yearly occasions for the next two years. Needs no API key: the token grants access. With more than 2,000 people, a feed for everyone has only the next 30 days and at most 5,000 events.
     */
    get: operations['readCalendar']
    put?: never
    post?: never
    delete?: never
  }
  '/today': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Get the overview
     * @description Returns the messages due from 12 hours ago to 36 hours ahead, counts, people by UTC offset, and the latest events. A claimed or settled event that was rescheduled by more than two days may be missing.
     */
    get: operations['readToday']
    put?: never
    post?: never
    delete?: never
  }
  '/people': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List people with their next message
     * @description Like GET /user, with the local time, the next message and the last message of each person.
     */
    get: operations['listPeople']
    put?: never
    post?: never
    delete?: never
  }
  '/failures': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List failures by reason
     * @description Groups the failures of the last 30 days by channel and reason. Of an event that failed again when it was replayed, only the latest failure counts as unresolved.
     */
    get: operations['readFailures']
    put?: never
    post?: never
    delete?: never
  }
  '/upcoming': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Count upcoming messages
     * @description Counts the planned messages by local date, one per occasion, and returns the instant with the most messages.
     */
    get: operations['readUpcoming']
    put?: never
    post?: never
    delete?: never
  }
  '/upcoming/event': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List upcoming messages
     * @description Lists the planned messages of the next 366 days page by page, in order of due time, with the names of their people.
     */
    get: operations['listUpcoming']
    put?: never
    post?: never
    delete?: never
  }
  '/demo': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Load demo data
     * @description Creates two dozen people in different timezones, one of them due within a minute. Safe to repeat.
     */
    post: operations['loadDemo']
    /**
     * Remove demo data
     * @description Deletes the demo people and their history.
     */
    delete: operations['wipeDemo']
  }
  '/people/delete': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Delete people by filter
     * @description Counts the people who match, up to 10,000, or, with `dryRun: false`, permanently deletes them and their history.
     */
    post: operations['deletePeople']
    delete?: never
  }
  '/people/pause': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Pause occasions by filter
     * @description Pauses the occasions of all people who match, like POST /occasion/{id}/pause. Only counts unless `dryRun: false`. Safe to repeat. If more people match than `limit`, send `next` of the response as the next request. Does not affect reminders of tasks.
     */
    post: operations['pausePeople']
    delete?: never
  }
  '/people/resume': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    /**
     * Resume occasions by filter
     * @description Resumes the occasions of all people who match, like POST /occasion/{id}/resume. Missed messages are not sent. Only counts unless `dryRun: false`. Safe to repeat. If more people match than `limit`, send `next` of the response as the next request. Does not affect reminders of tasks.
     */
    post: operations['resumePeople']
    delete?: never
  }
  '/live': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Stream changes
     * @description Server-sent events: a `change` event with the kinds of resources that changed in this process. Changes that happen together are sent as one event. Contains no personal data: read the resources again. Ends with the key or session that opened it; a key may have 50 streams.
     */
    get: operations['live']
    put?: never
    post?: never
    delete?: never
  }
  '/session': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Get the session
     * @description Returns the scope of the caller, for the dashboard.
     */
    get: operations['readSession']
    put?: never
    /**
     * Sign in
     * @description Starts a session with the scope of the key, and stores its token in an HttpOnly cookie that other sites cannot use. The session ends after 12 hours without a request, 30 days after sign-in, and with its key.
     */
    post: operations['signIn']
    /**
     * Sign out
     * @description Ends the session of the caller and deletes the cookie.
     */
    delete: operations['signOut']
  }
  '/session/list': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List sessions
     * @description Lists the browsers that are signed in, with any key.
     */
    get: operations['listSessions']
    put?: never
    post?: never
    delete?: never
  }
  '/session/{id}': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    put?: never
    post?: never
    /**
     * Revoke a session
     * @description Signs a browser out, in every process within seconds.
     */
    delete: operations['revokeSession']
  }
  '/inbox': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Read the inbox
     * @description Returns the received messages, newest first, and the behaviour of the inbox.
     */
    get: operations['readInbox']
    put?: never
    /**
     * Deliver to the inbox
     * @description A webhook receiver for development. Accepts any body of up to 64 KiB. Deliveries with the same X-Idempotency-Key are one message. Messages are lost on restart.
     */
    post: operations['deliverIntoInbox']
    /**
     * Clear the inbox
     * @description Deletes all messages and counts. The behaviour does not change.
     */
    delete: operations['emptyInbox']
  }
  '/inbox/behaviour': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    get?: never
    /**
     * Set the inbox behaviour
     * @description Makes the inbox reject deliveries or hang, to test retries. Also applies to deliveries that hang now.
     */
    put: operations['setInboxBehaviour']
    post?: never
    delete?: never
  }
  '/': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Get the index
     * @description Name, version and main paths of the service. A browser (`Accept: text/html`) is redirected to the dashboard, or to this reference where there is no dashboard.
     */
    get: operations['getIndex']
    put?: never
    post?: never
    delete?: never
  }
  '/healthz': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Check liveness
     * @description Responds as long as the process runs. Checks nothing else.
     */
    get: operations['health']
    put?: never
    post?: never
    delete?: never
  }
  '/readyz': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Check readiness
     * @description Checks with a write that the database can be reached and written. The result is reused for two seconds.
     */
    get: operations['readiness']
    put?: never
    post?: never
    delete?: never
  }
  '/metrics': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Get metrics
     * @description Counters, gauges and histograms of this process in Prometheus format. Contains no personal data.
     */
    get: operations['metrics']
    put?: never
    post?: never
    delete?: never
  }
  '/setting': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * List settings
     * @description Lists the settings of this process in order of name. They are environment variables: change them there, then restart.
     */
    get: operations['listSettings']
    put?: never
    post?: never
    delete?: never
  }
  '/openapi.json': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Get the OpenAPI document
     * @description The API as OpenAPI 3.1.
     */
    get: operations['openapi']
    put?: never
    post?: never
    delete?: never
  }
  '/docs': {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    /**
     * Get the API reference
     * @description The API reference as one HTML page that loads no other file. Its script adds the search and copy buttons.
     */
    get: operations['reference']
    put?: never
    post?: never
    delete?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    Import: components['schemas']['ImportCounts'] & {
      /** @description The first hundred problems, by line. */
      errors: (components['schemas']['FieldProblem'] & {
        /** @description The name of the column; empty for the whole row. */
        field?: string
        /** @description The line on which the row begins, from 1. */
        line: number
      })[]
    }
    FieldProblem: {
      /** @description The field name as sent; empty if the whole body is wrong. */
      field: string
      /**
       * @description A stable code. Codes may be added.
       * @enum {string}
       */
      code:
        | 'REQUIRED'
        | 'WRONG_TYPE'
        | 'INVALID_VALUE'
        | 'UNKNOWN_FIELD'
        | 'CONFLICTING_FIELDS'
        | 'UNKNOWN_PARAMETER'
        | 'REPEATED_PARAMETER'
        | 'INVALID_CURSOR'
        | 'INVALID_NAME'
        | 'INVALID_DATE'
        | 'DATE_IN_FUTURE'
        | 'UNKNOWN_TIMEZONE'
        | 'INVALID_EMAIL'
        | 'INVALID_LANGUAGE'
        | 'INVALID_EXTERNAL_ID'
        | 'EXTERNAL_ID_TAKEN'
        | 'INVALID_TYPE'
        | 'INVALID_TIME'
        | 'INVALID_RULE'
        | 'INVALID_TITLE'
        | 'INVALID_INSTANT'
        | 'INVALID_DURATION'
        | 'DATE_OUT_OF_RANGE'
        | 'UNKNOWN_CHANNEL'
        | 'BAD_TEMPLATE'
        | 'TEMPLATE_LIMIT'
        | 'FORBIDDEN_TARGET'
        | 'MISSING_COLUMN'
        | 'REPEATED_COLUMN'
        | 'BROKEN_ROW'
        | 'WRONG_WIDTH'
        | 'NOT_UTF8'
        | 'INVALID_SECRET'
        | 'SECRET_REQUIRED'
        | 'INVALID_LINK'
        | 'UNSUPPORTED'
      /** @description What is wrong and how to fix it, for humans. */
      message: string
    }
    ImportCounts: {
      /** @description How many rows were read, without the header and blank rows. */
      read: number
      /** @description How many people were created, or would be (dry run). */
      created: number
      /** @description How many exist already, by external id. They are not changed. */
      unchanged: number
      /** @description How many of the existing people differ from their row. */
      differing: number
      /** @description How many rows were rejected. */
      refused: number
      /** @description The row to continue with: send the table again with `from` set to it. Null if the table was read to its end. */
      next: number | null
    }
    /** @description A problem document (RFC 9457), sent as application/problem+json. */
    Problem: {
      /** @description The documentation of the code. */
      type: string
      /** @description A summary, equal for all problems with this code. */
      title: string
      /** @description The HTTP status. */
      status: number
      /**
       * @description A stable code for programs.
       * @enum {string}
       */
      code:
        | 'INCOMPLETE_BODY'
        | 'MALFORMED_JSON'
        | 'INVALID_INPUT'
        | 'NOTHING_TO_CHANGE'
        | 'INVALID_QUERY'
        | 'INVALID_HEADER'
        | 'UNAUTHORIZED'
        | 'FORBIDDEN'
        | 'FORBIDDEN_ORIGIN'
        | 'FORBIDDEN_ADDRESS'
        | 'USER_NOT_FOUND'
        | 'EVENT_NOT_FOUND'
        | 'OCCASION_NOT_FOUND'
        | 'TASK_NOT_FOUND'
        | 'FEED_NOT_FOUND'
        | 'KEY_NOT_FOUND'
        | 'SESSION_NOT_FOUND'
        | 'CHANNEL_NOT_FOUND'
        | 'DAY_NOT_FOUND'
        | 'DAY_NOT_CLOSED'
        | 'LINE_NOT_FOUND'
        | 'TEMPLATE_NOT_FOUND'
        | 'ROUTE_NOT_FOUND'
        | 'METHOD_NOT_ALLOWED'
        | 'NOT_PENDING'
        | 'NOT_FAILED'
        | 'REPLAY_UNDER_WAY'
        | 'ALREADY_DELIVERED'
        | 'NOT_RENDERED'
        | 'NOT_A_WEBHOOK'
        | 'OCCASION_OWNED'
        | 'EXTERNAL_ID_TAKEN'
        | 'CHANNEL_NAME_TAKEN'
        | 'CHANNEL_MANAGED'
        | 'CHANNEL_IN_USE'
        | 'SECRET_KEY_MISSING'
        | 'CHANNEL_UNUSABLE'
        | 'LEDGER_ALTERED'
        | 'RESPONSE_ERASED'
        | 'OUTDATED'
        | 'BODY_TOO_LARGE'
        | 'UNSUPPORTED_MEDIA_TYPE'
        | 'IDEMPOTENCY_KEY_REUSED'
        | 'RATE_LIMITED'
        | 'INTERNAL'
        | 'DATABASE_UNAVAILABLE'
        | 'NOT_READY'
        | 'INBOX_REFUSES'
      /** @description What is wrong with this request and how to fix it, for humans. */
      detail: string
      /** @description One entry per bad field. */
      problems?: components['schemas']['FieldProblem'][]
      soFar?: components['schemas']['ImportCounts'] & unknown
    }
    User: {
      /**
       * Format: uuid
       * @description Generated by the service; never changes.
       */
      id: string
      firstName: string
      lastName: string
      /** Format: date */
      dateOfBirth: string
      /** @description In IANA spelling. */
      timezone: string
      email: string | null
      /** @description The language of their messages. */
      language: string | null
      /** @description The id of the person in your own system. */
      externalId: string | null
      /**
       * Format: date-time
       * @description When the user was created.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When the user last changed.
       */
      updatedAt: string
      /** @description Increases by one with every change; the ETag contains it. */
      version: number
    }
    /** @description An open event that a change concerns, with its old and new time. */
    Move: {
      /** Format: uuid */
      eventId: string
      type: string
      from: {
        /**
         * Format: date-time
         * @description When it is due.
         */
        utc: string
        /**
         * Format: date-time
         * @description The due time in the local timezone.
         */
        local: string
        /** @description The timezone. */
        timezone: string
      }
      /** @description Null for an event without a new time: claimed before, or cancelled. */
      to: {
        /**
         * Format: date-time
         * @description When it is due.
         */
        utc: string
        /**
         * Format: date-time
         * @description The due time in the local timezone.
         */
        local: string
        /** @description The timezone. */
        timezone: string
      } | null
    }
    /** @description One occurrence of an occasion: when it is due and its result. */
    Event: {
      /**
       * Format: uuid
       * @description Generated by the service; never changes.
       */
      id: string
      /**
       * Format: uuid
       * @description The user of the event.
       */
      userId: string
      /** @description The id of the user in your own system; null if the user has none. */
      externalId: string | null
      /**
       * Format: uuid
       * @description The occasion of the event.
       */
      occasionId: string
      /** @description The type of the occasion. */
      eventType: string
      /** @description The occurrence: the year of a yearly occasion (`hebrew-5787` by another calendar), the date of a rule, `once`, or `due-1` for a task. `2:` before it: by the second rule of the occasion. `~1` after it: the first replay. */
      occurrence: string
      /**
       * @description PENDING until it is claimed, PROCESSING while it is in flight, waits for a retry or is parked, then COMPLETED or FAILED.
       * @enum {string}
       */
      status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
      /**
       * Format: date-time
       * @description When the message is due.
       */
      targetTimestampUTC: string
      /**
       * Format: date-time
       * @description The due time in the local timezone.
       */
      targetTimestampLocal: string
      /** @description The timezone. */
      targetTimezone: string
      /** @description The IANA release it was computed with. */
      tzVersion: string
      /**
       * Format: date-time
       * @description When a worker may claim it; null once it is settled.
       */
      wakeAt: string | null
      /**
       * Format: date-time
       * @description When it was settled.
       */
      executedAt: string | null
      /** @description Why it is FAILED. */
      failureReason: string | null
      /** @description Why it is FAILED, as a code. */
      failureCode: string | null
      /** @description The error that made it FAILED. */
      lastError: string | null
      /** @description How many attempts were retried. */
      retryCount: number
      /** @description Increases with every claim, settlement, move and wake-up. */
      version: number
      /** @description Sent with every attempt; the receiver recognises duplicates by it. */
      idempotencyKey: string
      /**
       * Format: uuid
       * @description The failed event that this one replays.
       */
      replayOf: string | null
      /**
       * Format: uuid
       * @description The channel of the latest attempt; before the first one, the channel of its occasion. Null: the default channel, or not recorded.
       */
      channelId: string | null
      /** @description The JSON that is sent, fixed when the event is first claimed; null before that. */
      deliveryPayload: {
        [key: string]: unknown
      } | null
      /**
       * Format: date-time
       * @description When it was planned.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it last changed.
       */
      updatedAt: string
    }
    NewUser: {
      /** @description 1 to 100 characters. */
      firstName: string
      /** @description 1 to 100 characters. */
      lastName: string
      /**
       * Format: date
       * @description YYYY-MM-DD, not in the future in the timezone of the person.
       */
      dateOfBirth: string
      /** @description The IANA name of a place, in any letter case, or UTC. Abbreviations and offsets (EST, CET, GMT, Etc/GMT+5) are rejected with suggestions: they do not follow the clocks of a place. */
      timezone: string
      /** @description An e-mail address; null for none. */
      email?: string | null
      /** @description The language of their messages, as a tag such as de or pt-BR; null for the default text. */
      language?: string | null
      /** @description The id of the person in your own system, 1 to 200 characters, unique; null for none. */
      externalId?: string | null
      /**
       * Format: date
       * @description Alias of dateOfBirth.
       */
      birthDate?: string
      /** @description Alias of timezone. */
      location?: string
      /** @description If today is the birthday and the delivery time has passed: send the message now instead of next year. */
      sendTodayNow?: boolean
    }
    NewUsers: {
      /** @description 1 to 1000 people. */
      users: components['schemas']['NewUser'][]
    }
    UserChange: {
      /** @description 1 to 100 characters. */
      firstName?: string
      /** @description 1 to 100 characters. */
      lastName?: string
      /**
       * Format: date
       * @description YYYY-MM-DD, not in the future in the timezone of the person.
       */
      dateOfBirth?: string
      /** @description The IANA name of a place, in any letter case, or UTC. Abbreviations and offsets (EST, CET, GMT, Etc/GMT+5) are rejected with suggestions: they do not follow the clocks of a place. */
      timezone?: string
      /** @description An e-mail address; null for none. */
      email?: string | null
      /** @description The language of their messages, as a tag such as de or pt-BR; null for the default text. */
      language?: string | null
      /** @description The id of the person in your own system, 1 to 200 characters, unique; null for none. */
      externalId?: string | null
      /**
       * Format: date
       * @description Alias of dateOfBirth.
       */
      birthDate?: string
      /** @description Alias of timezone. */
      location?: string
    }
    Occurrence: {
      /** @description The year, or the date of a rule. */
      occurrence: string
      /**
       * Format: date-time
       * @description When it would be due.
       */
      utc: string
      /**
       * Format: date-time
       * @description The due time in the local timezone.
       */
      local: string
      /**
       * Format: date
       * @description The local date.
       */
      occursOn: string
      /** @description Why the time or date was adjusted: LEAP_DAY_MOVED, CLOCK_GAP, CLOCK_OVERLAP, DATE_SKIPPED or CALENDAR_MOVED. Absent without an adjustment. */
      note?: string
      /** @description The adjustment in words. */
      reason?: string
    }
    OccasionPreview: {
      /** @description The type in capitals, such as WORK_ANNIVERSARY or a name of your own. */
      type: string
      /**
       * Format: date
       * @description The original date, as YYYY-MM-DD. YEARLY begins with the first anniversary of it; a rule, such as FREQ=YEARLY, can fall on the date itself.
       */
      date?: string
      /** @description HH:MM or HH:MM:SS in local time; DELIVER_AT by default. */
      localTime?: string
      /** @description YEARLY (the default), ONCE, or a rule of RFC 5545: FREQ (DAILY, WEEKLY, MONTHLY, YEARLY) with INTERVAL, BYDAY, BYMONTHDAY, BYMONTH, WKST, COUNT and UNTIL. */
      repeats?: string
      /** @description The calendar of YEARLY occasions: gregorian, chinese, hebrew, islamic, persian. */
      calendar?: string
      /** @description The date of 29 February in non-leap years: MARCH_1 (the default) or FEBRUARY_28. */
      leapDay?: string
      /**
       * Format: date
       * @description The last date it may fall on; null for no end.
       */
      until?: string | null
      /** @description A custom message in Liquid; null for the template of its type. */
      template?: string | null
      /**
       * Format: uuid
       * @description The id of the channel it goes to; null for the default one.
       */
      channel?: string | null
      /** @description HH:MM in local time after which it is neither sent nor retried that day; null for no limit. */
      notAfter?: string | null
      /**
       * Format: uuid
       * @description A stored user.
       */
      userId?: string
      /** @description A timezone, in place of a user. */
      timezone?: string
      /**
       * Format: date-time
       * @description The earliest instant, from 1970 to 2049; now by default.
       */
      from?: string
      /**
       * @description How many: 1 to 100.
       * @default 10
       */
      count?: number
    }
    Occasion: {
      /**
       * Format: uuid
       * @description Generated by the service; never changes.
       */
      id: string
      /**
       * Format: uuid
       * @description The user.
       */
      userId: string
      /** @description The id of the user in your own system; null if the user has none. */
      externalId: string | null
      /** @description The type of the occasion, in capitals. */
      type: string
      /**
       * Format: date
       * @description The original date; null for the date of birth.
       */
      date: string | null
      /** @description HH:MM or HH:MM:SS in local time; DELIVER_AT by default. */
      localTime: string
      /** @description YEARLY (the default), ONCE, or a rule of RFC 5545: FREQ (DAILY, WEEKLY, MONTHLY, YEARLY) with INTERVAL, BYDAY, BYMONTHDAY, BYMONTH, WKST, COUNT and UNTIL. */
      repeats: string
      /** @description The calendar of YEARLY occasions: gregorian, chinese, hebrew, islamic, persian. */
      calendar: string
      /** @description The date of 29 February in non-leap years: MARCH_1 (the default) or FEBRUARY_28. */
      leapDay: string
      /**
       * Format: date
       * @description The last date it may fall on; null for no end.
       */
      until: string | null
      /** @description A custom message in Liquid; null for the template of its type. */
      template: string | null
      /**
       * Format: uuid
       * @description The id of the channel it goes to; null for the default one.
       */
      channel: string | null
      /** @description HH:MM in local time after which it is neither sent nor retried that day; null for no limit. */
      notAfter: string | null
      /**
       * Format: date-time
       * @description When it was paused; null while it is active.
       */
      pausedAt: string | null
      /** @description Increases by one with every change; the ETag contains it. */
      version: number
      /** @description The next event; null if there is none. */
      next: {
        /** Format: uuid */
        eventId: string
        /** @description The year, or the date of a rule. */
        occurrence: string
        /**
         * Format: date-time
         * @description When it is due.
         */
        targetTimestampUTC: string
        /**
         * Format: date-time
         * @description The due time in the local timezone.
         */
        targetTimestampLocal: string
      } | null
      /**
       * @description Why there is no next event: PAUSED, IN_FLIGHT (being sent; the next one is planned afterwards), PAST (ONCE, on a date that has passed) or ENDED (its rule or its last date is over). Null if there is a next event.
       * @enum {string|null}
       */
      nextReason: 'PAUSED' | 'IN_FLIGHT' | 'PAST' | 'ENDED' | null
    }
    NewOccasion: {
      /** @description The type in capitals, such as WORK_ANNIVERSARY or a name of your own. */
      type: string
      /**
       * Format: date
       * @description The original date, as YYYY-MM-DD. YEARLY begins with the first anniversary of it; a rule, such as FREQ=YEARLY, can fall on the date itself.
       */
      date?: string
      /** @description HH:MM or HH:MM:SS in local time; DELIVER_AT by default. */
      localTime?: string
      /** @description YEARLY (the default), ONCE, or a rule of RFC 5545: FREQ (DAILY, WEEKLY, MONTHLY, YEARLY) with INTERVAL, BYDAY, BYMONTHDAY, BYMONTH, WKST, COUNT and UNTIL. */
      repeats?: string
      /** @description The calendar of YEARLY occasions: gregorian, chinese, hebrew, islamic, persian. */
      calendar?: string
      /** @description The date of 29 February in non-leap years: MARCH_1 (the default) or FEBRUARY_28. */
      leapDay?: string
      /**
       * Format: date
       * @description The last date it may fall on; null for no end.
       */
      until?: string | null
      /** @description A custom message in Liquid; null for the template of its type. */
      template?: string | null
      /**
       * Format: uuid
       * @description The id of the channel it goes to; null for the default one.
       */
      channel?: string | null
      /** @description HH:MM in local time after which it is neither sent nor retried that day; null for no limit. */
      notAfter?: string | null
      /** @description If today is the date and the delivery time has passed: send the message now. */
      sendTodayNow?: boolean
    }
    OccasionChange: {
      /**
       * Format: date
       * @description The original date, as YYYY-MM-DD. YEARLY begins with the first anniversary of it; a rule, such as FREQ=YEARLY, can fall on the date itself.
       */
      date?: string
      /** @description HH:MM or HH:MM:SS in local time; DELIVER_AT by default. */
      localTime?: string
      /** @description YEARLY (the default), ONCE, or a rule of RFC 5545: FREQ (DAILY, WEEKLY, MONTHLY, YEARLY) with INTERVAL, BYDAY, BYMONTHDAY, BYMONTH, WKST, COUNT and UNTIL. */
      repeats?: string
      /** @description The calendar of YEARLY occasions: gregorian, chinese, hebrew, islamic, persian. */
      calendar?: string
      /** @description The date of 29 February in non-leap years: MARCH_1 (the default) or FEBRUARY_28. */
      leapDay?: string
      /**
       * Format: date
       * @description The last date it may fall on; null for no end.
       */
      until?: string | null
      /** @description A custom message in Liquid; null for the template of its type. */
      template?: string | null
      /**
       * Format: uuid
       * @description The id of the channel it goes to; null for the default one.
       */
      channel?: string | null
      /** @description HH:MM in local time after which it is neither sent nor retried that day; null for no limit. */
      notAfter?: string | null
      type?: string
    }
    TaskWithReminders: components['schemas']['Task'] & {
      /**
       * Format: date-time
       * @description When the next reminder is due; null if none is planned.
       */
      nextReminderAt: string | null
      /** @description All delivered reminders, oldest first. */
      audit: {
        /**
         * @description The action.
         * @enum {string}
         */
        action: 'reminder_sent'
        /**
         * Format: uuid
         * @description The task.
         */
        taskId: string
        /**
         * Format: date-time
         * @description When it was delivered.
         */
        timestamp: string
        /** @description The worker that claimed it; on AWS and Cloudflare the run of the scheduler. */
        workerRunId: string
        /**
         * Format: uuid
         * @description The event of the reminder; see GET /event/{id}.
         */
        eventId: string
      }[]
    }
    Task: {
      /**
       * Format: uuid
       * @description Generated by the service; never changes.
       */
      id: string
      /**
       * Format: uuid
       * @description The user of the task.
       */
      userId: string
      /** @description The id of the user in your own system; null if the user has none. */
      externalId: string | null
      /** @description 1 to 200 characters. */
      title: string
      /**
       * Format: date-time
       * @description When it is due, with Z or an offset.
       */
      dueAt: string
      /** @description How long before the due time the reminder is sent; PT24H by default. */
      remindBefore: string
      /** @description Local hours that the reminder avoids: it is sent when they end, or before they begin if the task is due by then; at once if that has passed. QUIET_HOURS by default; null for none. */
      quietHours: string | null
      /** @description Whether it is completed. */
      completed: boolean
      /**
       * Format: date-time
       * @description When it was completed.
       */
      completedAt: string | null
      /**
       * Format: date-time
       * @description When a reminder was last delivered.
       */
      reminderSentAt: string | null
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it last changed.
       */
      updatedAt: string
      /** @description Increases by one with every change; the ETag contains it. */
      version: number
    }
    NewTask: {
      /**
       * Format: uuid
       * @description The user of the task.
       */
      userId: string
      /** @description 1 to 200 characters. */
      title: string
      /**
       * Format: date-time
       * @description When it is due, with Z or an offset.
       */
      dueAt: string
      /** @description How long before the due time the reminder is sent; PT24H by default. */
      remindBefore?: string
      /** @description Local hours that the reminder avoids: it is sent when they end, or before they begin if the task is due by then; at once if that has passed. QUIET_HOURS by default; null for none. */
      quietHours?: string | null
    }
    TaskChange: {
      /** @description 1 to 200 characters. */
      title?: string
      /**
       * Format: date-time
       * @description When it is due, with Z or an offset.
       */
      dueAt?: string
      /** @description How long before the due time the reminder is sent; PT24H by default. */
      remindBefore?: string
      /** @description Local hours that the reminder avoids: it is sent when they end, or before they begin if the task is due by then; at once if that has passed. QUIET_HOURS by default; null for none. */
      quietHours?: string | null
    }
    /** @description An event with the name of its user. */
    ListedEvent: components['schemas']['Event'] & {
      /** @description The first name of the user. */
      firstName: string
      /** @description The last name of the user. */
      lastName: string
    }
    /** @description One occurrence of an occasion: when it is due and its result. */
    EventWithAttempts: components['schemas']['Event'] & {
      /** @description The name of `channelId`. */
      channel: string | null
      /** @description All attempts, oldest first. */
      attempts: components['schemas']['Attempt'][]
      /** @description Every move, oldest first. Pausing an occasion removes its event and resuming inserts another: the removal is listed with the new event of that occurrence. */
      moves: components['schemas']['EventMove'][]
      /** @description The replays of this event, oldest first. */
      replays: components['schemas']['RelatedEvent'][]
      successor: components['schemas']['RelatedEvent'] & (Record<string, never> | null)
      /** @description Its line on the last closed day of the ledger that has one; null before. */
      ledger: {
        /** Format: date */
        day: string
        /** @enum {string} */
        column: 'delivered' | 'failed' | 'excused' | 'open' | 'unexplained' | 'surplus'
      } | null
    }
    /** @description One delivery attempt. */
    Attempt: {
      /** @description The number of the attempt, from 1. */
      number: number
      /** @description The worker that claimed it; on AWS and Cloudflare the run of the scheduler. */
      workerId: string
      /**
       * Format: date-time
       * @description When it was claimed.
       */
      startedAt: string
      /**
       * Format: date-time
       * @description When it ended.
       */
      finishedAt: string
      /**
       * @description How it ended. PARKED: its destination was down or rejected our credentials; it does not count against the retries. UNKNOWN: the worker died or lost its lease; it may have been delivered.
       * @enum {string}
       */
      outcome: 'DELIVERED' | 'RETRY' | 'PARKED' | 'FAILED' | 'UNKNOWN'
      /** @description The HTTP or SMTP status of the receiver, if there was one. */
      statusCode: number | null
      /** @description The error. */
      error: string | null
      /**
       * Format: uuid
       * @description The channel it was sent to; null if it is not known.
       */
      channelId: string | null
      /** @description The name of the channel. */
      channel: string | null
      /** @description Where it was sent: the URL without its query, or the mail server. Null if KEEP_RESPONSES did not store it. */
      destination: string | null
      response: components['schemas']['AttemptResponse']
    }
    /** @description Null if none arrived, or KEEP_RESPONSES did not store it. */
    AttemptResponse: {
      /** @description Up to 2 kB, without cookies and other credentials. Empty for SMTP. */
      headers: {
        [key: string]: string
      }
      /** @description The first 4 kB of the body, or the last SMTP reply. */
      body: string
      /** @description True if the body was longer. */
      shortened: boolean
    } | null
    /** @description One move of an event before it was sent. */
    EventMove: {
      /**
       * Format: date-time
       * @description When it was moved.
       */
      at: string
      /**
       * @description What moved it.
       * @enum {string}
       */
      cause:
        | 'TIMEZONE_CHANGED'
        | 'BIRTH_DATE_CHANGED'
        | 'OCCASION_CHANGED'
        | 'OCCASION_PAUSED'
        | 'OCCASION_RESUMED'
        | 'TASK_CHANGED'
        | 'TIMEZONE_RULES_CHANGED'
      from: components['schemas']['EventSlot']
      to: components['schemas']['EventSlot'] & unknown
    }
    /** @description Null if the change inserted the event. */
    EventSlot: {
      occurrence: string
      /**
       * Format: date-time
       * @description When it is due.
       */
      utc: string
      /**
       * Format: date-time
       * @description When it is due, in local time.
       */
      local: string
      timezone: string
    } | null
    /** @description A summary of an event. GET /event/{id} returns all fields. */
    RelatedEvent: {
      /**
       * Format: uuid
       * @description Generated by the service; never changes.
       */
      id: string
      /** @description The occurrence: the year of a yearly occasion (`hebrew-5787` by another calendar), the date of a rule, `once`, or `due-1` for a task. `2:` before it: by the second rule of the occasion. `~1` after it: the first replay. */
      occurrence: string
      /**
       * @description PENDING until it is claimed, PROCESSING while it is in flight, waits for a retry or is parked, then COMPLETED or FAILED.
       * @enum {string}
       */
      status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
      /**
       * Format: date-time
       * @description When the message is due.
       */
      targetTimestampUTC: string
      /**
       * Format: date-time
       * @description When it was settled.
       */
      executedAt: string | null
      /** @description Why it is FAILED. */
      failureReason: string | null
      /**
       * Format: uuid
       * @description The failed event that this one replays.
       */
      replayOf: string | null
    }
    Explanation: {
      /** @description Plain text. */
      summary: string
      instant: {
        /** Format: date-time */
        utc: string
        /** Format: date-time */
        local: string
        timezone: string
        /** @description The UTC offset at that instant. */
        offset: string
        /** @description The IANA release it was computed with. */
        tzVersion: string
        /** @description The current rule. */
        rule: string
        /** @description Plain text. */
        why: string
      }
      /** @description What is unusual about the due time: LEAP_DAY_MOVED, CLOCK_GAP, CLOCK_OVERLAP, DATE_SKIPPED, CALENDAR_MOVED, OFFSET_CHANGED, SENT_AT_ONCE, or CHANGED_SINCE. */
      oddities: {
        code: string
        /** @description Plain text. */
        text: string
      }[]
      /** @description The history, oldest first. */
      history: {
        /** Format: date-time */
        at: string
        /** @description Plain text. */
        text: string
      }[]
    }
    Replay: {
      /**
       * @description Render the message again and send it with a new idempotency key; receivers treat it as a new message. By default key and content stay the same, so that receivers recognise a duplicate.
       * @default false
       */
      newKey?: boolean
    }
    ReplayParts: {
      /** @description How many would be sent now. */
      now: number
      /** @description How many are past their latest local time (`notAfter`). */
      pastCutOff: {
        notAfter: string
        count: number
      }[]
      /** @description How many have a replay in progress. */
      underWay: number
      /** @description How many were delivered by a replay. */
      delivered: number
      /** @description How many repeat an occurrence that was already counted, because it failed more than once. */
      repeated: number
    }
    Replays: {
      /** @description Only these events. */
      ids?: string[]
      /** @description Only events of this channel: its id, `default` (with events that name no channel), or `unknown` (no channel is recorded). */
      channel?: string
      /** @description Only events whose failure reason starts with this text: the code, or the code and the error. */
      reason?: string
      /** @description Only events with exactly this reason, as in GET /failures: the code and the last error, regardless of the number of attempts. */
      exactReason?: string
      /** @description Only events of this type. */
      type?: string
      /**
       * Format: uuid
       * @description Only events of this person.
       */
      userId?: string
      people?: components['schemas']['PeopleFilter']
      /**
       * Format: date-time
       * @description Only events that failed at this instant or later.
       */
      failedFrom?: string
      /**
       * Format: date-time
       * @description Only events that failed before this instant; by default, before now.
       */
      failedBefore?: string
      /**
       * Format: date-time
       * @description Only events due at this instant or later.
       */
      dueFrom?: string
      /**
       * Format: date-time
       * @description Only events due before this instant.
       */
      dueBefore?: string
      /**
       * @description Render the message again and send it with a new idempotency key; receivers treat it as a new message. By default key and content stay the same, so that receivers recognise a duplicate.
       * @default false
       */
      newKey?: boolean
      /**
       * @description What to do with events whose latest local time (`notAfter`) has passed.
       * @default send
       * @enum {string}
       */
      pastCutOff?: 'send' | 'skip'
      /**
       * @description Only count; create nothing.
       * @default false
       */
      dryRun?: boolean
      /**
       * @description How many events to process in this request.
       * @default 1000
       */
      limit?: number
      /** @description Where to continue: from `next` of the previous response. */
      cursor?: string
    }
    /** @description As for GET /user. Empty for everyone. */
    PeopleFilter: {
      /** @description Only people who have, for each word of this text, a word that begins with it: a word of their name, their e-mail address or external id. Letter case and accents do not matter: `muller` finds Müller. Also the beginning of an id, from 8 characters on. */
      search?: string
      /** @description Only people in this IANA timezone, in any letter case. */
      timezone?: string
      /** @description Only people with an occasion of this type. */
      type?: string
      /** @description Only people with a message that is due, or that is retried, within this time from now, or is overdue: days (`7d`) or an ISO 8601 duration. */
      dueWithin?: string
      /** @description Only people with a paused occasion (true), or only people without one (false). */
      paused?: boolean
      /**
       * @description Only people with a failed message that was not delivered since.
       * @enum {boolean}
       */
      failed?: true
      /** @description Only these people, of those who match the rest of the filter. */
      ids?: string[]
    }
    /** @description A request with a valid signature. */
    SignedRequest: {
      /** @description The name of the channel. */
      channel: string
      /** @enum {string} */
      method: 'POST'
      /** @description The whole URL. */
      url: string
      /** @description All headers. `webhook-timestamp` is the time of this call: receivers accept the signature for five minutes. */
      headers: {
        [key: string]: string
      }
      /** @description The body, byte for byte. */
      body: string
      /** @description The request as a curl command for a POSIX shell. */
      curl: string
    }
    Template: {
      /** @description The type of the occasion, in capitals. */
      type: string
      /** @description Null for the template of all languages without their own. */
      language: string | null
      subject: string | null
      body: string
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it last changed.
       */
      updatedAt: string
      /** @description Increases by one with every change; the ETag contains it. */
      version: number
    }
    TemplatePreview: {
      /** @description The text in Liquid, at most 16384 characters. A text with a closing tag such as `</p>` is HTML in e-mails. */
      body: string
      /** @description The subject of e-mails in Liquid, at most 500 characters. Null for the first line of the message. */
      subject?: string | null
      /**
       * @description The type of the occasion, in capitals.
       * @default BIRTHDAY
       */
      type?: string
      /**
       * Format: uuid
       * @description A stored user.
       */
      userId?: string
      person?: components['schemas']['NewUser']
      /**
       * @description Renders the message as if it were sent this many seconds late; at most a year.
       * @default 0
       */
      lateBySeconds?: number
    }
    NewTemplate: {
      /** @description The text in Liquid, at most 16384 characters. A text with a closing tag such as `</p>` is HTML in e-mails. */
      body: string
      /** @description The subject of e-mails in Liquid, at most 500 characters. Null for the first line of the message. */
      subject?: string | null
    }
    Timezones: {
      /** @description The IANA release in use by this process. */
      version: string
      /** @description The releases that the stored events were planned with, latest first. */
      recorded: string[]
      /**
       * @description CURRENT: nothing to do. REPLAN_DUE: the release in use is newer; a replan moves the events of the timezones in `differs`. UNRECORDED: no release is recorded yet; a replan checks all events. TABLE_OLDER: the events were planned with a later release; upgrade this process.
       * @enum {string}
       */
      state: 'CURRENT' | 'REPLAN_DUE' | 'UNRECORDED' | 'TABLE_OLDER'
      /** @description The timezones whose rules changed; a replan reschedules their pending events. POST /tz/replan?dryRun=true counts them. */
      differs: components['schemas']['TimezoneDifference'][]
      /** @description Timezones of people that are an abbreviation or a fixed offset, stored by an earlier release. They keep working; new people cannot have them. */
      notPlaces: {
        zone: string
        /** @description How many people have it. */
        people: number
        suggestions: string[]
      }[]
      /** @description The last time that a replan changed the rules of timezones, or that a process with an earlier release started to plan by other rules; null if there was none. */
      lastChange: {
        /**
         * Format: date-time
         * @description When that replan or that process started.
         */
        at: string
        /** @description The earlier release. */
        from: string
        zones: string[]
      } | null
    }
    TimezoneDifference: {
      /** @description The timezone. */
      zone: string
      /** @description The release that its events were planned with. */
      from: string
      /** @description The release in use. */
      to: string
      /**
       * Format: date-time
       * @description The first instant at which the two releases differ.
       */
      since: string
      /** @description The UTC offset then, by the earlier release. */
      offsetFrom: string
      /** @description The UTC offset then, by the release in use. */
      offsetTo: string
      /** @description How many people are in this timezone. */
      people: number
    }
    TimezoneReplan: {
      /** @description The IANA release used. */
      version: string
      dryRun: boolean
      /** @description Events rescheduled, in all timezones. */
      moved: number
      restamped: number
      zones: components['schemas']['TimezoneMoves'][]
      /** @description A later release that some events were planned with. These events were not changed. Null if there is none. */
      ahead: string | null
      /** @description Timezones of people that the release in use does not have. */
      gone: string[]
      /** @description Events that could not be planned; see the log. */
      troubled: number
      /** @description False on Cloudflare if people are left, or have to be checked once more: the following runs of the cron trigger do so. The counts are those of this call. */
      complete: boolean
    }
    TimezoneMoves: {
      /** @description The timezone. */
      zone: string
      /** @description How many people are in this timezone. */
      people: number
      /** @description Events that were rescheduled. */
      moved: number
      /** @description Events whose due time did not change, now recorded with the new release. */
      restamped: number
      /** @description The most common shift in milliseconds; positive is later. */
      shiftMs: number | null
      /**
       * Format: date-time
       * @description The previous due time of an example event.
       */
      exampleFrom: string | null
      /**
       * Format: date-time
       * @description The new due time of that event.
       */
      exampleTo: string | null
    }
    /** @description A named destination. */
    Channel: {
      /**
       * Format: uuid
       * @description Generated by the service; never changes.
       */
      id: string
      name: string
      /** @enum {string} */
      kind: 'webhook' | 'smtp' | 'resend'
      /** @description The URL of a webhook. */
      url?: string
      /** @description The API address of a mail provider. */
      baseUrl?: string
      /** @description The sender of a mail channel. */
      from?: string
      replyTo?: string | null
      /** @description True if an SMTP channel may send over the internet without TLS. */
      allowPlaintext?: boolean
      listUnsubscribe?: string | null
      perSecond: number | null
      concurrency: number | null
      isDefault: boolean
      /** @description True for the channel of WEBHOOK_URL; only the environment changes it. */
      managedByEnvironment: boolean
      /**
       * @description ACTIVE: events are sent. PAUSED: events wait until the channel is resumed. DISABLED: events fail and can be replayed.
       * @enum {string}
       */
      status: 'ACTIVE' | 'PAUSED' | 'DISABLED'
      /** @description Why it is not active. */
      statusReason: string | null
      /** @description The active secrets, without their text. */
      secrets: {
        /**
         * Format: date-time
         * @description When it was created.
         */
        createdAt: string
        /**
         * Format: date-time
         * @description When it stops signing.
         */
        expiresAt: string | null
      }[]
      version: number
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it last changed.
       */
      updatedAt: string
    }
    NewChannel:
      | {
          /** @enum {string} */
          kind: 'webhook'
          /** @description The name of the channel, unique. */
          name: string
          url: string
          /** @description Your own signing secret. If left out, one is generated and returned once. Stored encrypted, never returned. */
          secret?: string
          /** @description Makes this the default channel, for occasions that name no channel. The most recent one is used. */
          isDefault?: boolean
          /** @description Maximum deliveries per second in each process; null for no limit. */
          perSecond?: number | null
          /** @description Maximum concurrent deliveries in each process; null for no limit (SMTP: 5). */
          concurrency?: number | null
        }
      | {
          /** @enum {string} */
          kind: 'smtp'
          /** @description The name of the channel, unique. */
          name: string
          /** @description The URL of the SMTP server with user name and password. Stored encrypted, never returned. */
          server: string
          /** @description True to send over the internet to an SMTP server without TLS. Default: false. */
          allowPlaintext?: boolean
          /** @description Makes this the default channel, for occasions that name no channel. The most recent one is used. */
          isDefault?: boolean
          /** @description The sender address. */
          from: string
          replyTo?: string | null
          /** @description The unsubscribe link; {userId} is replaced with the id of the person. */
          listUnsubscribe?: string | null
          /** @description Maximum deliveries per second in each process; null for no limit. */
          perSecond?: number | null
          /** @description Maximum concurrent deliveries in each process; null for no limit (SMTP: 5). */
          concurrency?: number | null
        }
      | {
          /** @enum {string} */
          kind: 'resend'
          /** @description The name of the channel, unique. */
          name: string
          /** @description The API key of the provider. Stored encrypted, never returned. */
          apiKey: string
          baseUrl?: string
          /** @description Makes this the default channel, for occasions that name no channel. The most recent one is used. */
          isDefault?: boolean
          /** @description The sender address. */
          from: string
          replyTo?: string | null
          /** @description The unsubscribe link; {userId} is replaced with the id of the person. */
          listUnsubscribe?: string | null
          /** @description Maximum deliveries per second in each process; null for no limit. */
          perSecond?: number | null
          /** @description Maximum concurrent deliveries in each process; null for no limit (SMTP: 5). */
          concurrency?: number | null
        }
    ChannelChange: {
      /** @description The name of the channel, unique. */
      name?: string
      url?: string
      baseUrl?: string
      /** @description The API key of the provider. Stored encrypted, never returned. */
      apiKey?: string
      /** @description The sender address. */
      from?: string
      replyTo?: string | null
      /** @description The unsubscribe link; {userId} is replaced with the id of the person. */
      listUnsubscribe?: string | null
      /** @description True to send over the internet to an SMTP server without TLS. Default: false. */
      allowPlaintext?: boolean
      /** @description Maximum deliveries per second in each process; null for no limit. */
      perSecond?: number | null
      /** @description Maximum concurrent deliveries in each process; null for no limit (SMTP: 5). */
      concurrency?: number | null
      /** @enum {boolean} */
      isDefault?: true
    }
    /** @description The new signing secret, SMTP URL or API key. If left out, a webhook gets a generated one. */
    NewSecret: {
      secret?: string
    }
    /** @description The result of a test. */
    ChannelTest: {
      delivered: boolean
      statusCode: number | null
      error: string | null
      /** @description What the server responded: the body of the HTTP response or the last SMTP reply, up to 4 kB. Null without one. */
      response: string | null
      tookMs: number
    }
    /** @description An API key, without its text: only a hash is stored. */
    ApiKey: {
      /**
       * Format: uuid
       * @description Generated by the service; never changes.
       */
      id: string
      name: string
      /** @enum {string} */
      scope: 'read' | 'write' | 'admin'
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was last used, to the minute.
       */
      lastUsedAt: string | null
      /**
       * Format: date-time
       * @description When it was revoked.
       */
      revokedAt: string | null
      /**
       * Format: date-time
       * @description When it expires; null for never.
       */
      expiresAt: string | null
      /** @description The addresses that it is accepted from; empty for any. */
      allowedFrom: string[]
    }
    NewApiKey: {
      /** @description A name for the key. */
      name: string
      /**
       * @description `read` reads people, occasions, tasks, templates and events, `write` also changes them, `admin` may do everything.
       * @enum {string}
       */
      scope: 'read' | 'write' | 'admin'
      /**
       * Format: date-time
       * @description When the key expires; null or left out for never.
       */
      expiresAt?: string | null
      /** @description The addresses that the key is accepted from; empty or left out for any. */
      allowedFrom?: string[]
    }
    AuditEntry: {
      /** @description Counts up without gaps. */
      id: number
      /**
       * Format: date-time
       * @description When it was recorded.
       */
      at: string
      /** @description `key:` or `session:` with an id, `environment:` with the name of a key, `host:` with the name of a caller that the application identified, or `cli`; null for a caller without a key. */
      actor: string | null
      /** @description The network address of the caller; null if it is unknown, or for rejections from many addresses. */
      address: string | null
      /** @enum {string} */
      action:
        | 'key.created'
        | 'key.revoked'
        | 'session.created'
        | 'session.ended'
        | 'session.revoked'
        | 'session.rejected'
        | 'request.rejected'
        | 'channel.created'
        | 'channel.changed'
        | 'channel.paused'
        | 'channel.resumed'
        | 'channel.disabled'
        | 'channel.deleted'
        | 'channel.tested'
        | 'secret.rotated'
        | 'secret.resealed'
        | 'template.changed'
        | 'template.deleted'
        | 'feed.created'
        | 'feed.deleted'
        | 'people.exported'
        | 'people.imported'
        | 'people.paused'
        | 'people.resumed'
        | 'people.erased'
        | 'person.erased'
        | 'event.replayed'
        | 'event.advanced'
        | 'event.signed'
        | 'events.replayed'
        | 'events.pruned'
        | 'timezones.replanned'
        | 'audit.pruned'
      /** @description The object of the action; null if it is not a single one. */
      object: {
        kind: string
        id: string
      } | null
      /** @enum {string} */
      result: 'ok' | 'rejected'
      /** @description The HTTP status of a rejection. */
      status: number | null
      /** @description How many rejections the entry stands for: there is at most one entry for each address, action and minute. */
      count: number
      /** @description Counts and ids; no personal data. */
      details: {
        [key: string]: string | number
      } | null
      /** @description SHA-256 of the entry and of the hash of the entry before. */
      hash: string
    }
    /** @description The account of a local calendar day. */
    LedgerDay: {
      /**
       * Format: date
       * @description The local date.
       */
      day: string
      /**
       * @description `closing` while the account is computed; its counts are those of the people so far.
       * @enum {string}
       */
      state: 'closed' | 'closing'
      /**
       * Format: date-time
       * @description When it was closed; null before.
       */
      closedAt: string | null
      /**
       * Format: date-time
       * @description When its lines were removed as too old; null while it has them.
       */
      prunedAt: string | null
      /** @description How many people were accounted for. */
      people: number
      /** @description Messages that were owed: the sum of the five columns that follow. */
      expected: number
      /** @description Delivered, on time or late. */
      delivered: number
      /** @description Of the delivered, more than a minute after they were due. */
      late: number
      /** @description Failed for good. */
      failed: number
      /** @description Not sent, for a recorded reason: a change, a pause, a deletion, a limit. */
      excused: number
      /** @description Not settled when the account was computed. The account of the next day has them again. */
      open: number
      /** @description Owed, and nothing recorded explains what became of them. Must be 0. */
      unexplained: number
      /** @description Sent, and not owed. Must be 0. */
      surplus: number
      /** @description Of all lines, those that were open on the account of the day before. */
      carried: number
      /** @description The root of the Merkle tree over the lines. Null until the day is closed. */
      root: string | null
      /** @description The SHA-256 of the header of the day before; zeros for the first day. Null until the day is closed. */
      previous: string | null
      /** @description The Ed25519 signature of the header, in base64. Null until the day is closed. */
      signature: string | null
      /** @description The key of the signature, in base64. Null until the day is closed. */
      publicKey: string | null
      /** @description The IANA release that the account was computed with. Null until the day is closed. */
      tzVersion: string | null
    }
    /** @description One message that was owed on the day, or one that was not and was sent. */
    LedgerLine: {
      /** @enum {string} */
      column: 'delivered' | 'failed' | 'excused' | 'open' | 'unexplained' | 'surplus'
      /** @description Why, as a code; null for a plain delivery. */
      reason: string | null
      /**
       * Format: uuid
       * @description Null once the person or occasion is deleted.
       */
      occasionId: string | null
      /**
       * Format: uuid
       * @description Null if there is no event, or once the person or occasion is deleted.
       */
      eventId: string | null
      /** @description As `occurrence` of an event. */
      occurrence: string | null
      /** @description The number of the attempt that settled it. */
      attempt: number | null
      /**
       * Format: uuid
       * @description The other event of the occasion that explains the line.
       */
      because: string | null
      /**
       * Format: date
       * @description The earlier day on whose account the line was open; null for a line of this day.
       */
      carriedFrom: string | null
      /**
       * Format: date-time
       * @description When it was due.
       */
      dueAt: string | null
      /**
       * Format: date-time
       * @description When it was settled.
       */
      settledAt: string | null
      /** @description Of a delivery: how long after it was due. */
      lateSeconds: number | null
      /** @description The SHA-256 of the line and its salt, as the ledger file has it. */
      commitment: string
      /** @description Why, in words. */
      reasonText: string
      evidence: components['schemas']['LedgerEvidence']
    }
    /** @description The journal entry that explains the line; null if it names none, or once it is erased. */
    LedgerEvidence: {
      /** @description The number of the entry. */
      number: number
      /**
       * Format: date-time
       * @description When the change was made.
       */
      at: string
      /** @enum {string} */
      kind:
        | 'person-changed'
        | 'occasion-changed'
        | 'person-deleted'
        | 'occasion-deleted'
        | 'zone-changed'
        | 'channel-changed'
        | 'limits-changed'
      /** @description The change in words. */
      text: string
      /**
       * Format: uuid
       * @description The person that was changed.
       */
      userId?: string
      /**
       * Format: uuid
       * @description The occasion that was changed.
       */
      occasionId?: string
      /** @description The SHA-256 of the id of the person or occasion that was deleted. */
      idHash?: string
      /** @description The state of the person or occasion before the change. */
      before?: {
        [key: string]: unknown
      }
    } | null
    LedgerProof: {
      /** @enum {string} */
      format: 'terce-ledger-proof/1'
      publicKey: string
      /** @description The signed text about the day. */
      header: string
      /** @description The Ed25519 signature of the header, in base64. */
      signature: string
      line: {
        /** @enum {string} */
        column: 'delivered' | 'failed' | 'excused' | 'open' | 'unexplained' | 'surplus'
        /** @description Why, as a code; null for a plain delivery. */
        reason: string | null
        /**
         * Format: uuid
         * @description Null once the person or occasion is deleted.
         */
        occasionId: string | null
        /**
         * Format: uuid
         * @description Null if there is no event, or once the person or occasion is deleted.
         */
        eventId: string | null
        /** @description As `occurrence` of an event. */
        occurrence: string | null
        /** @description The number of the attempt that settled it. */
        attempt: number | null
        /**
         * Format: uuid
         * @description The other event of the occasion that explains the line.
         */
        because: string | null
        /**
         * Format: date
         * @description The earlier day on whose account the line was open; null for a line of this day.
         */
        carriedFrom: string | null
        /** @description When it was due. In epoch milliseconds. */
        dueAt: number | null
        /** @description When it was settled. In epoch milliseconds. */
        settledAt: number | null
        /** @description The number of the journal entry. */
        entry: number | null
      }
      /** @description Random: hashed with the line. */
      salt: string
      /** @description The place of the line in the tree, from 0. */
      index: number
      /** @description The hashes from the line to the root, the nearest first. */
      path: string[]
    }
    /** @description A calendar feed, without its URL: only a hash is stored. */
    Feed: {
      /**
       * Format: uuid
       * @description Generated by the service; never changes.
       */
      id: string
      /**
       * Format: uuid
       * @description Null for everyone.
       */
      userId: string | null
      /**
       * Format: date-time
       * @description When it was created.
       */
      createdAt: string
    }
    NewFeed: {
      /**
       * Format: uuid
       * @description The user; everyone if left out.
       */
      userId?: string | null
    }
    Today: {
      /**
       * Format: date-time
       * @description The server time.
       */
      now: string
      /**
       * Format: date-time
       * @description When the counts were taken. They are cached for a second, and for up to two minutes if counting takes long.
       */
      countedAt: string
      tzVersion: string
      counts: {
        /** @description People in total. */
        people: number
        /** @description Messages in flight. */
        inFlight: number
        /** @description Messages that wait for a retry, or are parked until their channel is up. */
        waiting: number
        /** @description Messages delivered in the last 24 hours, unless more than three days late. */
        sent24h: number
        /** @description Messages that failed in the last 24 hours and were neither delivered since nor are being replayed. */
        failed24h: number
        /** @description Attempts with an unknown result in the last 24 hours, of messages at most three days late. The message may have been sent twice with the same idempotency key. */
        ambiguous24h: number
      }
      /** @description Computed from the latest deliveries; null if there are none. */
      lateness: {
        p50Ms: number
        p95Ms: number
      } | null
      /** @description The worker processes with a heartbeat in the last 30 seconds, idle ones too. Null on AWS Lambda and Cloudflare Workers, where functions are started on demand. */
      instances:
        | {
            id: string
            /**
             * Format: date-time
             * @description Its last heartbeat.
             */
            seenAt: string
          }[]
        | null
      wave: {
        /**
         * Format: date-time
         * @description The minute in which the messages are due.
         */
        dueAt: string
        /** @description The UTC offset in minutes, east positive. */
        offsetMinutes: number
        /** @description Delivered. */
        sent: number
        /** @description Claimed and not settled: in flight, waiting for a retry, or parked. */
        inFlight: number
        /** @description Failed. */
        failed: number
        /** @description Not claimed yet. */
        toCome: number
      }[]
      /** @description Null if no message is due in the next 36 hours. */
      next: {
        /**
         * Format: date-time
         * @description The earliest instant at which messages are due.
         */
        dueAt: string
        /** @description How many messages are due then. */
        count: number
      } | null
      zones: {
        timezone: string
        offsetMinutes: number
        people: number
      }[]
      /** @description The channels that are paused or disabled. */
      stoppedChannels: {
        id: string
        name: string
        /** @enum {string} */
        status: 'PAUSED' | 'DISABLED'
        /** @description Why it is not active. */
        statusReason: string | null
        /** @description Messages that wait until it is resumed. */
        waiting: number
      }[]
      /** @description The latest events that were claimed, with their users, by first due time, newest first. */
      recent: {
        /**
         * Format: uuid
         * @description Generated by the service; never changes.
         */
        id: string
        /**
         * Format: uuid
         * @description The user of the event.
         */
        userId: string
        /** @description The type of the occasion. */
        eventType: string
        /** @description The occurrence: the year of a yearly occasion (`hebrew-5787` by another calendar), the date of a rule, `once`, or `due-1` for a task. `2:` before it: by the second rule of the occasion. `~1` after it: the first replay. */
        occurrence: string
        /**
         * @description PENDING until it is claimed, PROCESSING while it is in flight, waits for a retry or is parked, then COMPLETED or FAILED.
         * @enum {string}
         */
        status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
        /**
         * Format: date-time
         * @description When the message is due.
         */
        targetTimestampUTC: string
        /**
         * Format: date-time
         * @description The due time in the local timezone.
         */
        targetTimestampLocal: string
        /** @description The timezone. */
        targetTimezone: string
        /**
         * Format: date-time
         * @description When it was settled.
         */
        executedAt: string | null
        /** @description Why it is FAILED. */
        failureReason: string | null
        /** @description Why it is FAILED, as a code. */
        failureCode: string | null
        /** @description How many attempts were retried. */
        retryCount: number
        firstName: string
        lastName: string
      }[]
    }
    DeletePeople: {
      filter: components['schemas']['PeopleFilter']
      /**
       * @description Only count. The default.
       * @default true
       */
      dryRun?: boolean
    }
    SwitchedPeople: {
      /** @description How many people were processed. */
      people: number
      /** @description How many of their occasions match. */
      matched: number
      /** @description How many occasions were changed; 0 in a dry run. */
      changed: number
      /** @description How many of the matching occasions have a message that was claimed. A pause stops it, unless it is being sent at that moment. */
      underWay: number
      /** @description The next request to send; null at the end. */
      next: components['schemas']['SwitchPeople'] | null
    }
    SwitchPeople: {
      filter: components['schemas']['PeopleFilter']
      /** @description Only occasions of this type; all types by default. */
      type?: string
      /**
       * @description Only count. The default.
       * @default true
       */
      dryRun?: boolean
      /**
       * @description How many people to process in this request.
       * @default 500
       */
      limit?: number
      /** @description Where to continue: from `next` of the previous response. */
      cursor?: string
    }
    SignIn: {
      key: string
    }
    /** @description A browser that is signed in. Only a hash of its cookie is stored. */
    Session: {
      /**
       * Format: uuid
       * @description Generated by the service; never changes.
       */
      id: string
      /** @description The key that the browser signed in with. */
      keyId: string
      keyName: string
      /** @enum {string} */
      scope: 'read' | 'write' | 'admin'
      /** @description The browser, as it described itself. */
      userAgent: string | null
      /**
       * Format: date-time
       * @description When the browser signed in.
       */
      createdAt: string
      /**
       * Format: date-time
       * @description When it was last used, to the minute.
       */
      lastUsedAt: string
      /**
       * Format: date-time
       * @description When it ends without a further request.
       */
      expiresAt: string
      /** @description The session of the caller. */
      current: boolean
    }
    InboxItem: {
      idempotencyKey: string | null
      /** @description The `message` field of a JSON body; null if there is none. */
      message: string | null
      /** @description The body of the first delivery. */
      body: string
      /** @description Selected headers of the delivery. */
      headers: {
        [key: string]: string
      }
      /** @description Whether the signature is valid and recent; null without a signature. */
      verified: boolean | null
      /**
       * Format: date-time
       * @description When it was first received.
       */
      receivedAt: string
      /** @description How often it was received with this idempotency key. */
      timesReceived: number
      /** @description How often it was rejected with this idempotency key. */
      refusals: number
    }
    InboxBehaviour: {
      /**
       * @description `accept` accepts every delivery, `refuse` responds 503, `hang` does not respond until the mode changes.
       * @enum {string}
       */
      mode: 'accept' | 'refuse' | 'hang'
    }
    /** @description A setting of the process. */
    Setting: {
      /** @description The environment variable. */
      name: string
      /** @description Null if it is not set and has no default. Secrets are masked. */
      value: string | null
      /**
       * @description Where the value comes from.
       * @enum {string}
       */
      source: 'default' | 'environment'
    }
  }
  responses: never
  parameters: never
  requestBodies: never
  headers: never
  pathItems: never
}
export type $defs = Record<string, never>
export interface operations {
  importUsers: {
    parameters: {
      query?: {
        /** @description Return what would happen, and write nothing. */
        dryRun?: 'true' | 'false'
        /** @description The row to begin with: `next` of the previous response. Rows before it are skipped. */
        from?: number
      }
      header?: never
      path?: never
    }
    requestBody: {
      content: {
        'text/csv': string
      }
    }
    responses: {
      /** @description Done; `errors` says which rows were rejected and why. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Import']
        }
      }
    }
  }
  exportUsers: {
    parameters: {
      query?: {
        /** @description `csv` can be imported again; `json` is one object per line (application/x-ndjson), like GET /user/{id}. */
        format?: 'csv' | 'json'
        /** @description The maximum number of people in the response. Without it, all people; on Cloudflare and AWS Lambda 10,000. */
        limit?: number
        /** @description Where to continue: the header `Terce-Next-Cursor` of the previous page. */
        cursor?: string
      }
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description All people, or a page of them. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/csv': string
        }
      }
    }
  }
  readUserByExternalId: {
    parameters: {
      query?: never
      header?: {
        /** @description The ETag you have. */
        'If-None-Match'?: string
      }
      path: {
        /** @description The id of the person in your own system, 1 to 200 characters, percent-encoded. `.` and `..` cannot be in a path. */
        externalId: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The person. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
    }
  }
  upsertUser: {
    parameters: {
      query?: {
        /** @description Return what would happen, and write nothing. */
        dryRun?: 'true' | 'false'
      }
      header?: {
        /** @description Change only this version: the ETag you read, a list of them, or `*` for any. No person is created. */
        'If-Match'?: string
      }
      path: {
        /** @description The id of the person in your own system, 1 to 200 characters, percent-encoded. `.` and `..` cannot be in a path. */
        externalId: string
      }
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['NewUser']
      }
    }
    responses: {
      /** @description Changed, or equal to the request already; also a dry run. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json':
            | {
                user: components['schemas']['User']
                /** @description How many pending messages were planned again. Some of them may keep their time. */
                rescheduled: number
                /** @description How many were claimed before and not rescheduled. */
                skipped: number
                /** @description The messages that were planned again or skipped. */
                moves: components['schemas']['Move'][]
                /**
                 * @description Whether the request created the person.
                 * @enum {boolean}
                 */
                created: false
              }
            | {
                user: components['schemas']['User']
                nextBirthdayEvent: components['schemas']['Event']
                /**
                 * @description Whether the request created the person.
                 * @enum {boolean}
                 */
                created: true
              }
        }
      }
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            user: components['schemas']['User']
            nextBirthdayEvent: components['schemas']['Event']
            /**
             * @description Whether the request created the person.
             * @enum {boolean}
             */
            created: true
          }
        }
      }
    }
  }
  listUsers: {
    parameters: {
      query?: {
        /** @description The maximum number of items, 1 to 200. */
        limit?: number
        /** @description Where to continue: `nextCursor` of the previous page. */
        cursor?: string
        /** @description The order: by creation, by first and last name, or by when the next message may be sent (people without one last); `-createdAt` and `-name` in reverse. */
        sort?: 'createdAt' | '-createdAt' | 'name' | '-name' | 'dueAt'
        /** @description Only people who have, for each word of this text, a word that begins with it: a word of their name, their e-mail address or external id. Letter case and accents do not matter: `muller` finds Müller. Also the beginning of an id, from 8 characters on. */
        search?: string
        /** @description Only people in this IANA timezone, in any letter case. */
        timezone?: string
        /** @description Only people with an occasion of this type. */
        type?: string
        /** @description Only people with a message that is due, or that is retried, within this time from now, or is overdue: days (`7d`) or an ISO 8601 duration. */
        dueWithin?: string
        /** @description Only people with a paused occasion (true), or only people without one (false). */
        paused?: 'true' | 'false'
        /** @description Only people with a failed message that was not delivered since. */
        failed?: string
        /** @description Only the person with this external id. */
        externalId?: string
      }
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description One page. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: components['schemas']['User'][]
            /** @description Send it as `cursor` to get the next page; null on the last page. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  createUser: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat: the first response is stored for a day and returned to requests with the same key and body, from the same API key. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: string
      }
      path?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['NewUser']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            user: components['schemas']['User']
            nextBirthdayEvent: components['schemas']['Event']
          }
        }
      }
    }
  }
  createUsers: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat: the first response is stored for a day and returned to requests with the same key and body, from the same API key. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: string
      }
      path?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['NewUsers']
      }
    }
    responses: {
      /** @description Done; `results` says who was rejected and why. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description How many were created. */
            created: number
            /** @description How many were rejected. */
            refused: number
            results: (
              | {
                  user: components['schemas']['User']
                  nextBirthdayEvent: components['schemas']['Event']
                  /** @description The position in the request, from 0. */
                  index: number
                  /** @enum {string} */
                  status: 'created'
                }
              | {
                  /** @description The position in the request, from 0. */
                  index: number
                  /** @enum {string} */
                  status: 'refused'
                  problems: components['schemas']['FieldProblem'][]
                }
            )[]
          }
        }
      }
    }
  }
  readUser: {
    parameters: {
      query?: never
      header?: {
        /** @description The ETag you have. */
        'If-None-Match'?: string
      }
      path: {
        /** @description The id of the user. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The person. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['User']
        }
      }
    }
  }
  changeUser: {
    parameters: {
      query?: {
        /** @description Return what would happen, and write nothing. */
        dryRun?: 'true' | 'false'
      }
      header?: {
        /** @description Change only this version: the ETag you read, a list of them, or `*`. */
        'If-Match'?: string
      }
      path: {
        /** @description The id of the user. */
        id: string
      }
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['UserChange']
      }
    }
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            user: components['schemas']['User']
            /** @description How many pending messages were planned again. Some of them may keep their time. */
            rescheduled: number
            /** @description How many were claimed before and not rescheduled. */
            skipped: number
            /** @description The messages that were planned again or skipped. */
            moves: components['schemas']['Move'][]
          }
        }
      }
    }
  }
  deleteUser: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the user. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  previewOccasion: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['OccasionPreview']
      }
    }
    responses: {
      /** @description The next occurrences, soonest first; fewer than `count` if the occasion ends. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The rule in words. */
            rule: string
            occurrences: components['schemas']['Occurrence'][]
            /**
             * @description Why there is no next event: PAUSED, IN_FLIGHT (being sent; the next one is planned afterwards), PAST (ONCE, on a date that has passed) or ENDED (its rule or its last date is over). Null if there is a next event.
             * @enum {string|null}
             */
            nextReason: 'PAUSED' | 'IN_FLIGHT' | 'PAST' | 'ENDED' | null
          }
        }
      }
    }
  }
  listOccasionTypes: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description All items. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: {
              type: string
              /** @description The text without a template; null if the type needs a template. */
              builtInText: string | null
            }[]
          }
        }
      }
    }
  }
  listOccasions: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the user. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description All items. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: components['schemas']['Occasion'][]
          }
        }
      }
    }
  }
  createOccasion: {
    parameters: {
      query?: {
        /** @description Return what would happen, and write nothing. */
        dryRun?: 'true' | 'false'
      }
      header?: {
        /** @description Makes the request safe to repeat: the first response is stored for a day and returned to requests with the same key and body, from the same API key. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: string
      }
      path: {
        /** @description The id of the user. */
        id: string
      }
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['NewOccasion']
      }
    }
    responses: {
      /** @description The occasion that would be added (dry run). */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Occasion']
        }
      }
      /** @description Added. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Occasion']
        }
      }
    }
  }
  readOccasion: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the occasion. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The occasion. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Occasion']
        }
      }
    }
  }
  changeOccasion: {
    parameters: {
      query?: {
        /** @description Return what would happen, and write nothing. */
        dryRun?: 'true' | 'false'
      }
      header?: {
        /** @description Change only this version: the ETag you read, a list of them, or `*`. */
        'If-Match'?: string
      }
      path: {
        /** @description The id of the occasion. */
        id: string
      }
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['OccasionChange']
      }
    }
    responses: {
      /** @description The changed occasion, or the result of a dry run. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            occasion: components['schemas']['Occasion']
            /** @description The rescheduled event, with its old and new time; `to` is null if it has no new time. */
            moves: components['schemas']['Move'][]
            /** @description How many were claimed before and not rescheduled. */
            skipped: number
          }
        }
      }
    }
  }
  deleteOccasion: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the occasion. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  pauseOccasion: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the occasion. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The occasion. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Occasion']
        }
      }
    }
  }
  resumeOccasion: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the occasion. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The occasion. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Occasion']
        }
      }
    }
  }
  listTasks: {
    parameters: {
      query?: {
        /** @description The maximum number of items, 1 to 200. */
        limit?: number
        /** @description Where to continue: `nextCursor` of the previous page. */
        cursor?: string
        /** @description Only tasks of this person. */
        userId?: string
        /** @description Only tasks due at this instant or later. */
        dueFrom?: string
        /** @description Only tasks due before this instant. */
        dueBefore?: string
        /** @description Only tasks with a delivered reminder (true) or without one (false). */
        reminded?: 'true' | 'false'
        /** @description Only completed (true) or open (false) tasks. */
        completed?: 'true' | 'false'
      }
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description One page. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: components['schemas']['Task'][]
            /** @description Send it as `cursor` to get the next page; null on the last page. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  createTask: {
    parameters: {
      query?: never
      header?: {
        /** @description Makes the request safe to repeat: the first response is stored for a day and returned to requests with the same key and body, from the same API key. 1 to 255 visible ASCII characters. */
        'Idempotency-Key'?: string
      }
      path?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['NewTask']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TaskWithReminders']
        }
      }
    }
  }
  readTask: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the task. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The task. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TaskWithReminders']
        }
      }
    }
  }
  changeTask: {
    parameters: {
      query?: never
      header?: {
        /** @description Change only this version: the ETag you read, a list of them, or `*`. */
        'If-Match'?: string
      }
      path: {
        /** @description The id of the task. */
        id: string
      }
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['TaskChange']
      }
    }
    responses: {
      /** @description Changed. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TaskWithReminders']
        }
      }
    }
  }
  deleteTask: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the task. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  completeTask: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the task. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TaskWithReminders']
        }
      }
    }
  }
  listEvents: {
    parameters: {
      query?: {
        /** @description The maximum number of items, 1 to 200. */
        limit?: number
        /** @description Where to continue: `nextCursor` of the previous page. */
        cursor?: string
        /** @description Which events come first; by default the oldest. */
        order?: 'oldest' | 'newest'
        /** @description Only events in this state: PENDING, PROCESSING, COMPLETED, FAILED, or several with commas between them. */
        status?: string
        /** @description Only the event with this id. */
        id?: string
        /** @description Only events with this idempotency key: an event and its replays. The key is not stored: a page compares 5,000 events and may be empty; continue with its `nextCursor`, or narrow the search with `dueFrom` and `dueBefore`. */
        idempotencyKey?: string
        /** @description Only events of this type. */
        type?: string
        /** @description Only events of this channel: its id, `default` (with events that name no channel), or `unknown` (no channel is recorded). */
        channel?: string
        /** @description Only events whose failure reason starts with this text: the code, or the code and the error. */
        reason?: string
        /** @description Only events with exactly this reason, as in GET /failures: the code and the last error, regardless of the number of attempts. */
        exactReason?: string
        /** @description Only events due at this instant or later. */
        dueFrom?: string
        /** @description Only events due before this instant. */
        dueBefore?: string
        /** @description Only failures that are neither delivered since nor being replayed; of an event that failed more than once, the latest. */
        unresolved?: string
        /** @description Only events settled at this instant or later. */
        settledFrom?: string
        /** @description Only events settled before this instant. */
        settledBefore?: string
        /** @description Only events with an attempt that ended UNKNOWN at this instant or later: their message may have arrived twice. */
        unknownFrom?: string
      }
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description One page. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: components['schemas']['ListedEvent'][]
            /** @description Send it as `cursor` to get the next page; null on the last page. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  listEventsOfUser: {
    parameters: {
      query?: {
        /** @description The maximum number of items, 1 to 200. */
        limit?: number
        /** @description Where to continue: `nextCursor` of the previous page. */
        cursor?: string
        /** @description Which events come first; by default the oldest. */
        order?: 'oldest' | 'newest'
        /** @description Only events in this state: PENDING, PROCESSING, COMPLETED, FAILED, or several with commas between them. */
        status?: string
        /** @description Only the event with this id. */
        id?: string
        /** @description Only events with this idempotency key: an event and its replays. The key is not stored: a page compares 5,000 events and may be empty; continue with its `nextCursor`, or narrow the search with `dueFrom` and `dueBefore`. */
        idempotencyKey?: string
        /** @description Only events of this type. */
        type?: string
        /** @description Only events of this channel: its id, `default` (with events that name no channel), or `unknown` (no channel is recorded). */
        channel?: string
        /** @description Only events whose failure reason starts with this text: the code, or the code and the error. */
        reason?: string
        /** @description Only events with exactly this reason, as in GET /failures: the code and the last error, regardless of the number of attempts. */
        exactReason?: string
        /** @description Only events due at this instant or later. */
        dueFrom?: string
        /** @description Only events due before this instant. */
        dueBefore?: string
        /** @description Only failures that are neither delivered since nor being replayed; of an event that failed more than once, the latest. */
        unresolved?: string
        /** @description Only events settled at this instant or later. */
        settledFrom?: string
        /** @description Only events settled before this instant. */
        settledBefore?: string
        /** @description Only events with an attempt that ended UNKNOWN at this instant or later: their message may have arrived twice. */
        unknownFrom?: string
      }
      header?: never
      path: {
        /** @description The id of the user. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description One page. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: components['schemas']['ListedEvent'][]
            /** @description Send it as `cursor` to get the next page; null on the last page. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  readEvent: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the event. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The event. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['EventWithAttempts']
        }
      }
    }
  }
  explainEvent: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the event. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The explanation. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Explanation']
        }
      }
    }
  }
  replayEvent: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the event. */
        id: string
      }
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['Replay']
      }
    }
    responses: {
      /** @description The new event. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Event']
        }
      }
    }
  }
  replayEvents: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['Replays']
      }
    }
    responses: {
      /** @description What was done. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description How many events matched. */
            matched: number
            /** @description How many replays were created. */
            replayed: number
            /** @description How many were skipped: a replay is in progress or delivered, the occurrence matched twice, or `pastCutOff` excluded them. */
            skipped: number
            /** @description What a replay would do with the events that matched; null unless this is a dry run. */
            parts: components['schemas']['ReplayParts'] | null
            /** @description The next request to send; null at the end. */
            next: components['schemas']['Replays'] | null
          }
        }
      }
    }
  }
  sendEventNow: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the event. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description Due; a worker sends it at once. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Event']
        }
      }
    }
  }
  buildRequest: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the event. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The request. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SignedRequest']
        }
      }
    }
  }
  listTemplates: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description All items. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: components['schemas']['Template'][]
          }
        }
      }
    }
  }
  previewTemplate: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['TemplatePreview']
      }
    }
    responses: {
      /** @description The rendered message. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description The message of a webhook. */
            message: string
            /** @description The subject of an e-mail. */
            subject: string
            /** @description An e-mail as plain text. */
            text: string
            /** @description An e-mail as HTML. Every value is escaped. */
            html: string
          }
        }
      }
    }
  }
  readTemplate: {
    parameters: {
      query?: never
      header?: {
        /** @description The ETag you have. */
        'If-None-Match'?: string
      }
      path: {
        /** @description The type of the occasion, in capitals. */
        type: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The template. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Template']
        }
      }
    }
  }
  putTemplate: {
    parameters: {
      query?: never
      header?: {
        /** @description Replace only this version: the ETag you read, a list of them, or `*` for any existing version. */
        'If-Match'?: string
      }
      path: {
        /** @description The type of the occasion, in capitals. */
        type: string
      }
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['NewTemplate']
      }
    }
    responses: {
      /** @description Replaced. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Template']
        }
      }
      /** @description Stored. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Template']
        }
      }
    }
  }
  deleteTemplate: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The type of the occasion, in capitals. */
        type: string
      }
    }
    requestBody?: never
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readTemplateForLanguage: {
    parameters: {
      query?: never
      header?: {
        /** @description The ETag you have. */
        'If-None-Match'?: string
      }
      path: {
        /** @description The type of the occasion, in capitals. */
        type: string
        /** @description A language tag, in any letter case. The template for pt also applies to pt-BR, unless pt-BR has its own. */
        language: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The template. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Template']
        }
      }
    }
  }
  putTemplateForLanguage: {
    parameters: {
      query?: never
      header?: {
        /** @description Replace only this version: the ETag you read, a list of them, or `*` for any existing version. */
        'If-Match'?: string
      }
      path: {
        /** @description The type of the occasion, in capitals. */
        type: string
        /** @description A language tag, in any letter case. The template for pt also applies to pt-BR, unless pt-BR has its own. */
        language: string
      }
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['NewTemplate']
      }
    }
    responses: {
      /** @description Replaced. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Template']
        }
      }
      /** @description Stored. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Template']
        }
      }
    }
  }
  deleteTemplateForLanguage: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The type of the occasion, in capitals. */
        type: string
        /** @description A language tag, in any letter case. The template for pt also applies to pt-BR, unless pt-BR has its own. */
        language: string
      }
    }
    requestBody?: never
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readTimezones: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description The timezone data. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Timezones']
        }
      }
    }
  }
  replanTimezones: {
    parameters: {
      query?: {
        /** @description Return what would happen, and write nothing. */
        dryRun?: boolean
      }
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description The result. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['TimezoneReplan']
        }
      }
    }
  }
  listChannels: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description All items. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: components['schemas']['Channel'][]
          }
        }
      }
    }
  }
  createChannel: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['NewChannel']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            channel: components['schemas']['Channel']
            /** @description The generated secret, returned once; null if you provided it. */
            secret: string | null
          }
        }
      }
    }
  }
  readChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the channel. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The channel. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Channel']
        }
      }
    }
  }
  changeChannel: {
    parameters: {
      query?: never
      header?: {
        /** @description Change only this version: the ETag you read, a list of them, or `*`. */
        'If-Match'?: string
      }
      path: {
        /** @description The id of the channel. */
        id: string
      }
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['ChannelChange']
      }
    }
    responses: {
      /** @description The channel. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Channel']
        }
      }
    }
  }
  deleteChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the channel. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  rotateChannelSecret: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the channel. */
        id: string
      }
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['NewSecret']
      }
    }
    responses: {
      /** @description Rotated. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            channel: components['schemas']['Channel']
            /** @description The generated secret, returned once; null if you provided it. */
            secret: string | null
          }
        }
      }
    }
  }
  testChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the channel. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The result. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['ChannelTest']
        }
      }
    }
  }
  pauseChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the channel. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The channel. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Channel']
        }
      }
    }
  }
  resumeChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the channel. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The channel. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Channel']
        }
      }
    }
  }
  disableChannel: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the channel. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The channel. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Channel']
        }
      }
    }
  }
  listKeys: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description All items. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: components['schemas']['ApiKey'][]
          }
        }
      }
    }
  }
  createKey: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['NewApiKey']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            apiKey: components['schemas']['ApiKey']
            key: string
          }
        }
      }
    }
  }
  revokeKey: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the key. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description Revoked. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  listAudit: {
    parameters: {
      query?: {
        /** @description The maximum number of items, 1 to 200. */
        limit?: number
        /** @description Where to continue: `nextCursor` of the previous page. */
        cursor?: string
        /** @description Only this action. */
        action?:
          | 'key.created'
          | 'key.revoked'
          | 'session.created'
          | 'session.ended'
          | 'session.revoked'
          | 'session.rejected'
          | 'request.rejected'
          | 'channel.created'
          | 'channel.changed'
          | 'channel.paused'
          | 'channel.resumed'
          | 'channel.disabled'
          | 'channel.deleted'
          | 'channel.tested'
          | 'secret.rotated'
          | 'secret.resealed'
          | 'template.changed'
          | 'template.deleted'
          | 'feed.created'
          | 'feed.deleted'
          | 'people.exported'
          | 'people.imported'
          | 'people.paused'
          | 'people.resumed'
          | 'people.erased'
          | 'person.erased'
          | 'event.replayed'
          | 'event.advanced'
          | 'event.signed'
          | 'events.replayed'
          | 'events.pruned'
          | 'timezones.replanned'
          | 'audit.pruned'
        /** @description Only this actor, as `actor` has it. */
        actor?: string
        /** @description Only the object with this id. */
        object?: string
        /** @description Only entries from this instant on. */
        from?: string
        /** @description Only entries before this instant. */
        to?: string
      }
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description One page. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: components['schemas']['AuditEntry'][]
            /** @description Send it as `cursor` to get the next page; null on the last page. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  listLedger: {
    parameters: {
      query?: {
        /** @description Only this day and later ones. */
        from?: string
        /** @description Only this day and earlier ones. */
        to?: string
        /** @description The maximum number of days. Continue with `to` set to the day before the last one. */
        limit?: number
      }
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description The days. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            days: components['schemas']['LedgerDay'][]
          }
        }
      }
    }
  }
  readLedgerDay: {
    parameters: {
      query?: {
        /** @description The maximum number of items, 1 to 200. */
        limit?: number
        /** @description Where to continue: `nextCursor` of the previous page. */
        cursor?: string
        /** @description Only lines of this column. */
        column?: 'delivered' | 'failed' | 'excused' | 'open' | 'unexplained' | 'surplus'
      }
      header?: never
      path: {
        /** @description The local date, in the timezone of each person. */
        day: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The account, and one page of its lines. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            day: components['schemas']['LedgerDay']
            lines: components['schemas']['LedgerLine'][]
            /** @description Send it as `cursor` to get the next page; null on the last page. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  exportLedger: {
    parameters: {
      query?: {
        /** @description The first day of the file, up to 365 days before the last; without it, one day. */
        from?: string
      }
      header?: never
      path: {
        /** @description The local date, in the timezone of each person. */
        day: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The file. Verify it with `terce ledger verify`. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            format: 'terce-ledger/1'
            publicKey: string
            days: {
              header: string
              signature: string
              /** @description If it is another one than that of the file. */
              publicKey?: string
              lines: string[][] | null
            }[]
          }
        }
      }
    }
  }
  proveEvent: {
    parameters: {
      query?: {
        /** @description The line of this day. */
        day?: string
      }
      header?: never
      path: {
        /** @description The id of the event. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The proof. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['LedgerProof']
        }
      }
    }
  }
  listFeeds: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description All items. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: components['schemas']['Feed'][]
          }
        }
      }
    }
  }
  createFeed: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: {
      content: {
        'application/json': components['schemas']['NewFeed']
      }
    }
    responses: {
      /** @description Created. */
      201: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Feed'] & {
            url: string
          }
        }
      }
    }
  }
  deleteFeed: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the feed. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description Deleted. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readCalendar: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The secret in the URL of the feed. */
        token: string
      }
    }
    requestBody?: never
    responses: {
      /** @description The calendar. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/calendar': string
        }
      }
    }
  }
  readToday: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description The overview. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['Today']
        }
      }
    }
  }
  listPeople: {
    parameters: {
      query?: {
        /** @description The maximum number of items, 1 to 200. */
        limit?: number
        /** @description Where to continue: `nextCursor` of the previous page. */
        cursor?: string
        /** @description The order: by creation, by first and last name, or by when the next message may be sent (people without one last); `-createdAt` and `-name` in reverse. */
        sort?: 'createdAt' | '-createdAt' | 'name' | '-name' | 'dueAt'
        /** @description Only people who have, for each word of this text, a word that begins with it: a word of their name, their e-mail address or external id. Letter case and accents do not matter: `muller` finds Müller. Also the beginning of an id, from 8 characters on. */
        search?: string
        /** @description Only people in this IANA timezone, in any letter case. */
        timezone?: string
        /** @description Only people with an occasion of this type. */
        type?: string
        /** @description Only people with a message that is due, or that is retried, within this time from now, or is overdue: days (`7d`) or an ISO 8601 duration. */
        dueWithin?: string
        /** @description Only people with a paused occasion (true), or only people without one (false). */
        paused?: 'true' | 'false'
        /** @description Only people with a failed message that was not delivered since. */
        failed?: string
        /** @description Only the person with this external id. */
        externalId?: string
      }
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description One page. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: {
              user: components['schemas']['User']
              /**
               * Format: date-time
               * @description The current local time.
               */
              localTime: string
              next: {
                eventId: string
                type: string
                /**
                 * Format: date-time
                 * @description When it is due.
                 */
                utc: string
                /**
                 * Format: date-time
                 * @description When it is due, in local time.
                 */
                local: string
              } | null
              last: {
                eventId: string
                type: string
                /**
                 * @description PENDING until it is claimed, PROCESSING while it is in flight, waits for a retry or is parked, then COMPLETED or FAILED.
                 * @enum {string}
                 */
                status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
                /**
                 * Format: date-time
                 * @description When it was settled.
                 */
                at: string
              } | null
              /** @description Whether this is a demo person. */
              demo: boolean
            }[]
            /** @description Send it as `cursor` to get the next page; null on the last page. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  readFailures: {
    parameters: {
      query?: {
        /** @description Only events of this channel: its id, `default` (with events that name no channel), or `unknown` (no channel is recorded). */
        channel?: string
        /** @description Only events with exactly this reason, as in GET /failures: the code and the last error, regardless of the number of attempts. */
        exactReason?: string
      }
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description The groups, most unresolved failures first. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /**
             * Format: date-time
             * @description When the counts were taken. They are cached for a second, and for up to two minutes if counting takes long.
             */
            countedAt: string
            groups: {
              /** @description The channel they were sent to, or would have been; null if it was not recorded. */
              channelId: string | null
              /** @description Its name; `unknown` if it was not recorded. */
              channel: string
              /** @description The failure code and the last error. */
              reason: string
              /** @description How many are unresolved: neither delivered since nor being replayed. */
              count: number
              /** @description How many have a replay in progress. */
              replaying: number
              /** @description How many were delivered by a replay. */
              deliveredSince: number
              /**
               * Format: date-time
               * @description When the first one failed.
               */
              oldestAt: string
              /**
               * Format: date-time
               * @description When the last one failed.
               */
              newestAt: string
              /** @description All failures in each of the last 24 hours, oldest first. */
              byHour: number[]
            }[]
            channels: {
              id: string
              name: string
              status: string
              statusReason: string | null
            }[]
          }
        }
      }
    }
  }
  readUpcoming: {
    parameters: {
      query?: {
        /** @description How many days to count, from now. */
        days?: number
      }
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description The counts by date. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /**
             * Format: date-time
             * @description When the counts were taken. They are cached for a second, and for up to two minutes if counting takes long.
             */
            countedAt: string
            days: {
              date: string
              count: number
            }[]
            busiest: {
              /**
               * Format: date-time
               * @description When.
               */
              utc: string
              count: number
            } | null
          }
        }
      }
    }
  }
  listUpcoming: {
    parameters: {
      query?: {
        /** @description The maximum number of items, 1 to 200. */
        limit?: number
        /** @description Where to continue: `nextCursor` of the previous page. */
        cursor?: string
        /** @description Only messages that are due on this local date. */
        date?: string
      }
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description One page. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: {
              /**
               * Format: uuid
               * @description Generated by the service; never changes.
               */
              id: string
              /**
               * Format: uuid
               * @description The user of the event.
               */
              userId: string
              /** @description The type of the occasion. */
              eventType: string
              /** @description The occurrence: the year of a yearly occasion (`hebrew-5787` by another calendar), the date of a rule, `once`, or `due-1` for a task. `2:` before it: by the second rule of the occasion. `~1` after it: the first replay. */
              occurrence: string
              /**
               * @description PENDING until it is claimed, PROCESSING while it is in flight, waits for a retry or is parked, then COMPLETED or FAILED.
               * @enum {string}
               */
              status: 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
              /**
               * Format: date-time
               * @description When the message is due.
               */
              targetTimestampUTC: string
              /**
               * Format: date-time
               * @description The due time in the local timezone.
               */
              targetTimestampLocal: string
              /** @description The timezone. */
              targetTimezone: string
              /**
               * Format: date-time
               * @description When it was settled.
               */
              executedAt: string | null
              /** @description Why it is FAILED. */
              failureReason: string | null
              /** @description Why it is FAILED, as a code. */
              failureCode: string | null
              /** @description How many attempts were retried. */
              retryCount: number
              firstName: string
              lastName: string
            }[]
            /** @description Send it as `cursor` to get the next page; null on the last page. */
            nextCursor: string | null
          }
        }
      }
    }
  }
  loadDemo: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description How many were created. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            loaded: number
          }
        }
      }
    }
  }
  wipeDemo: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description How many were deleted. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            wiped: number
          }
        }
      }
    }
  }
  deletePeople: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['DeletePeople']
      }
    }
    responses: {
      /** @description The counts. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            matched: number
            deleted: number
            /** @description More people match: repeat the request to delete them. */
            more: boolean
          }
        }
      }
    }
  }
  pausePeople: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SwitchPeople']
      }
    }
    responses: {
      /** @description The counts. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SwitchedPeople']
        }
      }
    }
  }
  resumePeople: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SwitchPeople']
      }
    }
    responses: {
      /** @description The counts. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['SwitchedPeople']
        }
      }
    }
  }
  live: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description A stream that ends with its key. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/event-stream': string
        }
      }
    }
  }
  readSession: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description The session. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description No key exists: this computer has full access. */
            open: boolean
            /**
             * @description The scope of the caller; null if not signed in.
             * @enum {string|null}
             */
            scope: 'read' | 'write' | 'admin' | null
            /** @description Whether the browser has a session that it can end. A caller with a key has none. */
            hasSession: boolean
            /** @description Whether there is a built-in inbox. */
            inbox: boolean
            /** @description The shortest wait before each retry, in milliseconds. */
            retries: number[]
            deliverAt: string
            version: string
          }
        }
      }
    }
  }
  signIn: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['SignIn']
      }
    }
    responses: {
      /** @description Signed in. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @description No key exists: this computer has full access. */
            open: boolean
            /**
             * @description The scope of the caller; null if not signed in.
             * @enum {string|null}
             */
            scope: 'read' | 'write' | 'admin' | null
            /** @description Whether the browser has a session that it can end. A caller with a key has none. */
            hasSession: boolean
            /** @description Whether there is a built-in inbox. */
            inbox: boolean
            /** @description The shortest wait before each retry, in milliseconds. */
            retries: number[]
            deliverAt: string
            version: string
          }
        }
      }
    }
  }
  signOut: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description Signed out. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  listSessions: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description All items. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: components['schemas']['Session'][]
          }
        }
      }
    }
  }
  revokeSession: {
    parameters: {
      query?: never
      header?: never
      path: {
        /** @description The id of the session. */
        id: string
      }
    }
    requestBody?: never
    responses: {
      /** @description Revoked. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  readInbox: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description The inbox. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /**
             * @description `accept` accepts every delivery, `refuse` responds 503, `hang` does not respond until the mode changes.
             * @enum {string}
             */
            behaviour: 'accept' | 'refuse' | 'hang'
            /** @description How many deliveries were rejected. */
            refused: number
            items: components['schemas']['InboxItem'][]
          }
        }
      }
    }
  }
  deliverIntoInbox: {
    parameters: {
      query?: never
      header?: {
        /** @description Identifies the message. */
        'X-Idempotency-Key'?: string
      }
      path?: never
    }
    requestBody?: {
      content: {
        'application/json': unknown
      }
    }
    responses: {
      /** @description Accepted. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  emptyInbox: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description Empty. */
      204: {
        headers: {
          [name: string]: unknown
        }
        content?: never
      }
    }
  }
  setInboxBehaviour: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['InboxBehaviour']
      }
    }
    responses: {
      /** @description Set. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': components['schemas']['InboxBehaviour']
        }
      }
    }
  }
  getIndex: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description The index. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            name: 'terce'
            version: string
            links: {
              [key: string]: string
            }
          }
        }
      }
    }
  }
  health: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description The process runs. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            status: 'ok'
            version: string
          }
        }
      }
    }
  }
  readiness: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description Ready. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            /** @enum {string} */
            status: 'ok'
            version: string
          }
        }
      }
    }
  }
  metrics: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description The metrics. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/plain': string
        }
      }
    }
  }
  listSettings: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description All items. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            items: components['schemas']['Setting'][]
          }
        }
      }
    }
  }
  openapi: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description An OpenAPI document. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'application/json': {
            [key: string]: unknown
          }
        }
      }
    }
  }
  reference: {
    parameters: {
      query?: never
      header?: never
      path?: never
    }
    requestBody?: never
    responses: {
      /** @description The page. */
      200: {
        headers: {
          [name: string]: unknown
        }
        content: {
          'text/html': string
        }
      }
    }
  }
}

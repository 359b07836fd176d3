#ifndef RECORDSTACK_SUITE_TRACE_H
#define RECORDSTACK_SUITE_TRACE_H

/// How many connections of the stores under test the suite's process has opened so far.
int suite_trace_connections(void);

/// How many different statements they have run so far.
int suite_trace_statements(void);

/// How many rules they have broken so far. A process that ends with one ends with an error.
int suite_trace_violations(void);

/// What the rules say of a statement's text: 0 where it keeps them.
int suite_trace_breaks_rules(const char *sql);

#endif

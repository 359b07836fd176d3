#ifndef RECORDSTACK_SUITE_TRACE_H
#define RECORDSTACK_SUITE_TRACE_H

/// Returns the number of connections of the stores under test that this process has opened so far.
int suite_trace_connections(void);

/// Returns the number of different statements that those connections have run so far.
int suite_trace_statements(void);

/// Returns the number of broken rules so far. If it is not 0, the process ends with an error.
int suite_trace_violations(void);

/// Returns 0 if a statement's text keeps the rules.
int suite_trace_breaks_rules(const char *sql);

#endif

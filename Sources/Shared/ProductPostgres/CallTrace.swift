/// The trace context of a server's calls.
///
/// The runs for the events that a call writes continue the trace.
package enum CallTrace {
  /// The W3C traceparent of the current task, or nil if the task belongs to no trace.
  @TaskLocal package static var traceparent: String?
}

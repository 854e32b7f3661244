/// The trace context of a server's calls.
///
/// If a call causes runs of jobs, the runs continue the trace of the call.
package enum CallTrace {
  /// The W3C traceparent of the current task, or nil if the task belongs to no trace.
  @TaskLocal package static var traceparent: String?
}

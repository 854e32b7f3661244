/// The trace context of a server's calls.
///
/// If a call causes job runs, they continue the call's trace.
package enum CallTrace {
  /// The W3C traceparent of the current task, or nil if the task belongs to no trace.
  @TaskLocal package static var traceparent: String?
}

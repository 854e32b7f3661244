import Foundation

#if canImport(Glibc)
  import CProcess
  import Glibc
#endif

/// Starts threads for work that may block.
///
/// Foundation's `Thread` does not report that the operating system rejected a new thread, so the
/// caller would wait for it forever. A container or a systemd unit limits the number of threads.
package enum SystemThread {
  /// The stack size of a thread in bytes.
  package static let stackSize = 1 << 20

  /// Starts a thread that executes `body` and then ends.
  ///
  /// - Parameters:
  ///   - name: the thread's name, which Linux truncates to 15 bytes.
  ///   - stackSize: the size of the stack in bytes.
  /// - Returns: false if the operating system rejects a new thread. `body` is then not executed.
  package static func start(
    name: String, stackSize: Int = Self.stackSize, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    #if canImport(Glibc)
      let work = Unmanaged.passRetained(Work(name: name, body: body))
      let isStarted = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { space in
        guard let attributes = space.baseAddress, pthread_attr_init(attributes) == 0 else {
          return false
        }
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setstacksize(attributes, stackSize)
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        return pthread_create(&thread, attributes, { SystemThread.run($0) }, work.toOpaque()) == 0
      }
      if !isStarted { work.release() }
      return isStarted
    #else
      let thread = Thread(block: body)
      thread.name = name
      thread.stackSize = stackSize
      thread.start()
      return true
    #endif
  }

  #if canImport(Glibc)
    /// Executes the work of a new thread.
    private static func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
      return nil
    }

    /// The work of a new thread.
    private final class Work: Sendable {
      private let name: String
      private let body: @Sendable () -> Void

      init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
      }

      func run() {
        _ = baton_name_thread(name)
        body()
      }
    }
  #endif
}

import Foundation

/// The extent of a test run: a quick run or a full run.
package enum TestSize {
  /// Whether the test run is a full run, started by `make test-all`.
  package static let isFull = ProcessInfo.processInfo.environment["BATON_TEST_ALL"] == "1"
}

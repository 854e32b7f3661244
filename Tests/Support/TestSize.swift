import Foundation

/// How much the tests do: what fits between two commits, or everything there is.
package enum TestSize {
  /// Whether `make test-all` asks.
  package static let isFull = ProcessInfo.processInfo.environment["BATON_TEST_ALL"] == "1"
}

import Foundation

/// How many times longer than on a quiet machine something may take before a test calls it late.
///
/// `make test` shares two cores among eight tests and whatever else a CI machine does. `BATON_PATIENCE=1` takes
/// every bound as it is written: `make test-all` does so for the tests about promptness, one at a time.
package let patience = Int(ProcessInfo.processInfo.environment["BATON_PATIENCE"] ?? "") ?? 4

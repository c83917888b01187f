// The forms of records as text.

#if CommandLine
import ArgumentParser

/// A form of records as text.
enum RecordFormat: String, ExpressibleByArgument, CaseIterable {
    /// One JSON object per line.
    case json
    /// Comma-separated values (RFC 4180).
    case csv
}
#endif

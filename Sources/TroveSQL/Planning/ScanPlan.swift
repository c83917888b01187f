// The plan of a scan, which SQLite knows by its number.

/// The plan of a scan. Arguments are numbered from 0.
struct ScanPlan: Hashable {
    /// A comparison with an argument.
    struct Bound: Hashable {
        var comparison: Comparison
        var argument: Int
        /// Whether SQLite does not test the comparison again.
        var isOmitted = false
    }

    /// The condition on a component.
    enum Part: Hashable {
        case point(Bound)
        /// All values of an `IN`.
        case list(argument: Int)
        case range([Bound])
    }

    /// A test of a column in the scan.
    struct Test: Hashable {
        var column: Int
        var bound: Bound
    }

    /// A search for words.
    struct TextSearch: Hashable {
        /// A text to search for.
        struct Match: Hashable {
            /// The stored name of the only property in which the words are searched; nil for all.
            var property: String?
            var argument: Int
        }

        var matches: [Match]
        /// Whether the records come from the search. Otherwise the records of the path are tested.
        var isSource: Bool
        /// Whether the records come in the order of their scores, or their scores are read.
        var needsScores: Bool
        /// The arguments with the number of rows that are wanted, and left out; nil if they are unknown.
        var limit: Int?
        var offset: Int?
        /// Whether other conditions may leave out records.
        var leavesOut: Bool
    }

    /// The path, by its position.
    var path: Int
    /// The conditions on the first components.
    var parts: [Part] = []
    /// The search for words; nil if there is none.
    var text: TextSearch?
    /// The argument with the key of a record; nil for a scan.
    var keyArgument: Int?
    /// The tests in the scan.
    var tests: [Test] = []
    /// The tests that replace the ranges where ranges are not exact.
    var boundTests: [Test] = []
    /// Whether the columns are read from the entries of the index.
    var isCovering = false
    var isDescending = false
    /// Whether SQLite relies on the order of the rows.
    var consumesOrder = false
    /// The component whose values must all be in the order of SQL; nil if all values are.
    var guardedComponent: Int?
    /// Whether the rows are in their order only without long entries, which are cut.
    var needsWholeEntries = false
    /// Whether the rows are counted only.
    var isCount = false
    /// Whether rows are counted by the counts of a ranked index, until a column is read.
    var isCountedFirst = false
    /// Whether a group of totals is one row. Otherwise it is a row for each of its records.
    var isDistinct = false
    /// The argument with the number of rows to leave out; nil to leave out none.
    var offset: Int?
    /// Whether at most one row is found.
    var isUnique = false

    /// Whether the first component has a single value.
    var beginsWithPoint: Bool { if case .point? = parts.first { true } else { false } }
}

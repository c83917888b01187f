// The plan of a filter: in words, and as a statement of SQL with its own plan.

#if Inspector
import Trove
import TroveSQL

/// The plan of a filter.
struct PlanView {
    private let filter: RecordFilter
    private let type: StoredType
    private let snapshot: Snapshot
    private let analyzers: [TextAnalyzer]

    /// The maximum number of characters of a plan.
    private static let limit = 20_000

    init(_ filter: RecordFilter, _ type: StoredType, _ snapshot: Snapshot, _ analyzers: [TextAnalyzer]) {
        (self.filter, self.type, self.snapshot, self.analyzers) = (filter, type, snapshot, analyzers)
    }

    /// Returns the plan.
    ///
    /// - Parameter words: The work of the page; nil for a filter that is not run.
    func html(_ words: String? = nil) throws -> HTML {
        let statement = FilterStatement(filter, of: type)
        let plan = try statement.map { try sqlPlan($0) }
        return Tag.section(.class("plan"), .aria("label", "Plan")) {
            Tag.p { Tag.bdi { (words ?? self.words).cut(Self.limit).text } }
            if let statement {
                Tag.p {
                    "As SQL, which uses indexes: "
                    Tag.a(.href(SQLPage.address(statement.text))) { Tag.code { statement.text } }
                }
            }
            if let plan { Tag.pre { plan.cut(Self.limit).text } }
        }
    }

    /// The work of a page with the filter.
    private var words: String {
        switch filter {
        case .none: "The records in the order of their keys."
        case .words: "Full text, the most relevant first."
        case .condition(_, let text): "Scan by key, up to the rows of a page; each record is tested: \(text)."
        }
    }

    private func sqlPlan(_ statement: FilterStatement) throws -> String {
        do {
            return try StatementCall.$analyzers.withValue(analyzers) {
                try snapshot.context.explainSQL(SQL(raw: statement.text))
            }
        } catch let error as SQLError {
            return "\(error)"
        }
    }
}
#endif

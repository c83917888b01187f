// The options of loading text into a store.

import TroveText

/// The options that the forms of `Store.load` share.
struct LoadOptions: Sendable {
    /// The treatment of records whose keys are stored already.
    var rule = ConflictRule.throw
    /// The type of records that follow no description.
    var type: String?
    /// Types that the store may not have yet.
    var schema: [DumpedType] = []
    /// Whether all indexes are maintained, however many records there are.
    var keepsIndexes = false
    /// Analyzers of full-text indexes beside the built-in ones.
    var analyzers: [TextAnalyzer] = []
}

// Diagnostics about `#Index`, `#Unique`, `#FullTextIndex` and `#Totals`; `macro` is the name of the macro with its
// number sign.

extension MacroDiagnostic {
    // MARK: Placement

    static func indexOutside(_ macro: String) -> Self {
        .error(
            "indexOutside",
            "'\(macro)' belongs directly in the body of a struct with '@IndexKeyRecord' or '@EntityModel'")
    }

    static func indexOfValue(_ macro: String) -> Self {
        .error(
            "indexOfValue",
            "'\(macro)' cannot be used in a struct with '@RecordValue': index the property of the record that holds the value"
        )
    }

    static func indexOfAnotherType(_ macro: String, _ other: String, in type: String) -> Self {
        .error(
            "indexOfAnotherType", "'\(macro)' in '\(type)' can use only properties of '\(type)', not of '\(other)'")
    }

    static func indexAttribute(_ attribute: String, _ macro: String) -> Self {
        .error("indexAttribute", "'@\(attribute)' is a declaration of its own here: write '\(macro)'")
    }

    // MARK: Their properties

    static func noIndexedProperties(_ macro: String) -> Self {
        .error("noIndexedProperties", "'\(macro)' needs the key path of at least one property, such as '\\.name'")
    }

    static func indexedNotLiteral(_ macro: String) -> Self {
        .error(
            "indexedNotLiteral",
            "'\(macro)' needs a literal key path, such as '\\.name': a macro sees only the source text")
    }

    static func computedIndexed(_ name: String) -> Self {
        .error("computedIndexed", "'\(name)' is computed; an index covers only stored properties")
    }

    static func constantIndexed(_ name: String) -> Self {
        .error("constantIndexed", "'\(name)' is a constant with an initial value, which is the same for all records")
    }

    static func partIndexed(_ path: String, of name: String) -> Self {
        .error(
            "partIndexed",
            "'\(path)' is a part of a property: store it as a property of its own, or index all of '\\.\(name)'")
    }

    static func unorderedDescending(_ name: String, type: String) -> Self {
        .error(
            "unorderedDescending",
            "'\(name)' cannot be sorted: the bytes of '\(type)' have no order; without '.desc' it is indexed for equality"
        )
    }

    static func eachOfNoCollection(_ name: String, type: String) -> Self {
        .error("eachOfNoCollection", "'each' needs an array or a set of values, and '\(name)' is of the type '\(type)'")
    }

    static func descendingElements(_ name: String) -> Self {
        .error("descendingElements", "the elements of '\(name)' are found by their value: 'each' has no direction")
    }

    static let severalElements = error(
        "severalElements",
        "an index has the elements of one property at most: a record would have an entry for each combination")

    static let uniqueElements = error(
        "uniqueElements", "'#Unique' compares whole values: elements of a property, '.each', can only be indexed")

    static func repeatedIndexed(_ macro: String, _ name: String) -> Self {
        .error("repeatedIndexed", "'\(name)' is already a property of this '\(macro)'")
    }

    // MARK: Totals

    static let totalsOfElements = error(
        "totalsOfElements",
        "a record is in one group of '#Totals': elements of a property, '.each', can only be indexed")

    static func orderedNumber(_ name: String) -> Self {
        .error("orderedNumber", "the sum of '\(name)' has no direction: write '\\.\(name)'")
    }

    // MARK: Ranks

    static let rankedElements = error(
        "rankedElements", "a ranked index counts records: '.each' needs an index without 'ranked:'")

    // MARK: Texts

    static func notAText(_ name: String, type: String) -> Self {
        .error(
            "notAText",
            "'\(name)' is of the type '\(type)', and has no words: a full-text index covers 'String', 'String?' and '[String]'"
        )
    }

    static func orderOfWords(_ name: String) -> Self {
        .error(
            "orderOfWords",
            "the words of '\(name)' have no direction, and an array has the words of its elements: write '\\.\(name)'")
    }

    static let tooManyTexts = error("tooManyTexts", "a full-text index covers at most 15 properties")

    static func otherNumberOfWeights(_ count: Int) -> Self {
        .error(
            "otherNumberOfWeights",
            count == 1
                ? "'weights:' needs a weight for the only property"
                : "'weights:' needs a weight for each of the \(count) properties, in their order")
    }

    static func weightOutOfRange(_ weight: String) -> Self {
        .error("weightOutOfRange", "'\(weight)' is not a weight: weights are numbers from 0 to 1,000")
    }

    static let duplicateTextIndex = error(
        "duplicateTextIndex",
        "the same '#FullTextIndex' is already declared: same properties, analyzer and condition; 'weights:' and 'keepsOrder:' do not make another index"
    )

    static let textNameNotLiteral = error(
        "textNameNotLiteral", "an index of gathered text has a name: a string literal that is not empty")

    static func textNameTaken(_ name: String) -> Self {
        .error("textNameTaken", "another '#FullTextIndex' has the name '\(name)': give this index another name")
    }

    static let noGathering = error(
        "noGathering",
        "'#FullTextIndex' with a name needs 'gathering:', the closure that returns the texts of records by their keys")

    static func gatheringBeforeMembers(_ use: String, in record: String) -> Self {
        .error(
            "gatheringBeforeMembers",
            "'\(use)' does not exist yet in the arguments of '#FullTextIndex'; write a static function in an extension of '\(record)', and call it here: 'gathering: { try \(record).texts(of: $0, in: $1) }'"
        )
    }

    // MARK: Their other arguments

    static let noCollisions = error(
        "noCollisions", "'#Unique' needs 'collisions:', the rule for a second record with the same values")

    static func ruleBeforeMembers(_ use: String, in record: String) -> Self {
        .error(
            "ruleBeforeMembers",
            "'\(use)' does not exist yet in the arguments of '#Unique'; declare the rule as a static property in 'extension CollisionRule<\(record)>', and name it here: 'collisions: .myRule'"
        )
    }

    static func conditionNotClosure(_ macro: String) -> Self {
        .error(
            "conditionNotClosure",
            "the condition of '\(macro)' must be a closure literal: when its text changes, the index is rebuilt"
        )
    }

    // MARK: Redundant declarations

    static func duplicateIndex(_ macro: String) -> Self {
        .error("duplicateIndex", "the same '\(macro)' is already declared: same properties, order and condition")
    }

    static func indexInKeyOrder(_ type: String) -> Self {
        .warning("indexInKeyOrder", "the index is redundant: the records of '\(type)' have this order by their key")
    }

    static func uniqueKey(_ type: String) -> Self {
        .warning("uniqueKey", "the constraint is redundant: no two records of '\(type)' have the same key")
    }
}

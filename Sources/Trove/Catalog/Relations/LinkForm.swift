// The forms of a relation's links. A number never changes its meaning.
//
//     form            record: key → fields                        entries of lists
//     pair            first second →                              second first
//     list            first second → position                     second position first
//     lists           first second → position position            first position second, second position first
//     symmetricPair   a b →, and b a →
//     symmetricList   a b → position of b among the links of a    a position b
//
// A record's key is the pair of its ends: so no link exists twice. A list is an index of the kind `list`.
// With the records' keys, they give the links of each end, in order where a list has one.

/// The form of a relation's links.
enum LinkForm: UInt8, CaseIterable, Sendable {
    /// Links of an entity to another: a one-way relation to one, or a relation of one to one.
    case pair = 1
    /// A list of the links of the second end: a one-way relation to many, or a relation of many to one.
    case list = 2
    /// A list at both ends: a relation of many to many.
    case lists = 3
    /// A relation to one that is its own inverse.
    case symmetricPair = 4
    /// A relation to many that is its own inverse.
    case symmetricList = 5

    /// Whether a relation is its own inverse: then each link of two entities is stored in both directions.
    var isSymmetric: Bool { self == .symmetricPair || self == .symmetricList }

    /// The number of positions in a link's record.
    var positionCount: Int {
        switch self {
        case .pair, .symmetricPair: 0
        case .list, .symmetricList: 1
        case .lists: 2
        }
    }

    /// The place of an end's position in a link's record; nil if the links of the end have no order.
    ///
    /// - Parameter side: The end with the list.
    func position(on side: LinkSide) -> Int? {
        switch (self, side) {
        case (.lists, .first), (.symmetricList, .first), (.list, .second): 0
        case (.lists, .second): 1
        default: nil
        }
    }

    /// The number of an end's list among the indexes of the links; nil if the records' keys are in the order of the
    /// end.
    func list(of side: LinkSide) -> Int? {
        switch (self, side) {
        case (.pair, .second), (.list, .second), (.lists, .first), (.symmetricList, .first): 0
        case (.lists, .second): 1
        default: nil
        }
    }

    /// The ends with lists, in the order of the indexes.
    var sidesWithLists: [LinkSide] {
        LinkSide.allCases.filter { list(of: $0) != nil }.sorted { (list(of: $0) ?? 0) < (list(of: $1) ?? 0) }
    }
}

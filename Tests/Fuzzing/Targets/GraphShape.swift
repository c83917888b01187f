// A nested query from bytes.
//
//     shape   = request* · end
//     request = relation · form · page · shape    a form with ids has no shape, a relation to one no page
//     page    = parts · a byte for each part
//     end     = a relation above 9, the sixth level, or the end of the bytes
//
// The parts of a page are a filter, an order, a limit, an offset and a node to begin after.

import Trove

struct GraphShape {
    private var bytes: ArraySlice<UInt8>
    private static let depthLimit = 6

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    private mutating func byte() -> UInt8? { bytes.popFirst() }

    /// Returns a query with the next shape.
    mutating func requesting<Shape: GraphShaping>(
        of query: Shape, depth: Int = 0
    ) -> Shape where Shape.Record == LinkedNode {
        var shape = self
        let shaped = query.changing { query in
            while depth < Self.depthLimit, let relation = shape.byte(), relation < 10 {
                query = shape.request(relation, of: query, depth + 1)
            }
        }
        self = shape
        return shaped
    }

    private mutating func request(
        _ relation: UInt8, of query: Query<LinkedNode>, _ depth: Int
    ) -> Query<LinkedNode> {
        switch relation {
        case 0: single(\.$next, of: query, depth)
        case 1: single(\.$previous, of: query, depth)
        case 2: list(\.$children, of: query, depth)
        case 3: single(\.$parent, of: query, depth)
        case 4: list(\.$follows, of: query, depth)
        case 5: list(\.$followers, of: query, depth)
        case 6: list(\.$friends, of: query, depth)
        case 7: single(\.$partner, of: query, depth)
        case 8: single(\.$favorite, of: query, depth)
        default: list(\.$likes, of: query, depth)
        }
    }

    private mutating func single<Direction, Constraints>(
        _ path: KeyPath<LinkedNode, ToOneRelation<LinkedNode, Direction, Constraints>>, of query: Query<LinkedNode>,
        _ depth: Int
    ) -> Query<LinkedNode> {
        switch (byte() ?? 0) % 3 {
        case 0: query.with(path) { requesting(of: $0, depth: depth) }
        case 1: query.fragment(path) { requesting(of: $0, depth: depth) }
        default: query.id(path)
        }
    }

    private mutating func list<Direction, Constraints>(
        _ path: KeyPath<LinkedNode, ToManyRelation<LinkedNode, Direction, Constraints>>, of query: Query<LinkedNode>,
        _ depth: Int
    ) -> Query<LinkedNode> {
        switch (byte() ?? 0) % 6 {
        case 0: query.with(path) { requesting(of: page(of: $0), depth: depth) }
        case 1: query.with(slice: path) { requesting(of: page(of: $0), depth: depth) }
        case 2: query.fragment(path) { requesting(of: page(of: $0), depth: depth) }
        case 3: query.fragment(slice: path) { requesting(of: page(of: $0), depth: depth) }
        case 4: query.id(path) { page(of: $0) }
        default: query.id(slice: path) { page(of: $0) }
        }
    }

    /// Returns a query with the next page.
    mutating func page(of query: Query<LinkedNode>) -> Query<LinkedNode> {
        var query = query
        let parts = byte() ?? 0
        if parts & 1 > 0, let id = byte() { query = query.filter(\.id > id % 8) }
        if parts & 2 > 0, let order = byte() {
            query = order % 2 == 0 ? query.sorted(by: \.id.desc) : query.order(.descending)
        }
        if parts & 4 > 0, let limit = byte() { query = query.limit(Int(Int8(bitPattern: limit))) }
        if parts & 8 > 0, let offset = byte() { query = query.offset(Int(Int8(bitPattern: offset))) }
        if parts & 16 > 0, let id = byte() { query = query.after(key: id % 8) }
        return query
    }
}

// The target of a request: its path and its query, decoded.

#if Inspector
import Hummingbird

/// The target of a request, decoded: `/type/Chats.Chat?after=0a` has the segments `type` and `Chats.Chat`.
struct RequestTarget: Sendable {
    /// The decoded segments of the path; a segment that is not encoded UTF-8 is empty.
    let segments: [String]
    /// The decoded parts of the query by name, of equal names the first.
    let query: [String: String]

    init(_ request: Request) { self.init(request.head.path ?? "/") }

    /// - Parameter text: The path and the query as a browser sends them.
    init(_ text: String) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        segments = (parts.first ?? "").split(separator: "/").map { String($0).percentDecoded() ?? "" }
        var query: [String: String] = [:]
        for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = String(sides[0]).percentDecoded(plusIsSpace: true) else { continue }
            let value = sides.count > 1 ? String(sides[1]).percentDecoded(plusIsSpace: true) : ""
            if let value, query[name] == nil { query[name] = value }
        }
        self.query = query
    }
}
#endif

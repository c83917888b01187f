// `/live/events`: the commits as they come, as server-sent events.

#if Inspector
import HTTPTypes
import Hummingbird

/// The commits as they come, as server-sent events.
///
/// | in the query | meaning |
/// |---|---|
/// | `type` | the name of the only type |
enum LiveEvents: Page {
    static let path = "/live/events"

    static func response(to request: PageRequest) async throws -> Response {
        guard let parts = try request.site.feed.get().parts() else { return Refusal.tooManyStreams.response }
        let type = request.query("type")
        let body = ResponseBody { writer in
            // A browser learns by the first line that the stream has begun.
            try await writer.write(ByteBuffer(string: ": open\n\n"))
            events: for await part in parts {
                switch part {
                case .commit(let commit):
                    if let event = commit.event(of: type, dropped: parts.droppedCommits()) {
                        try await writer.write(ByteBuffer(string: event))
                    }
                case .silence: try await writer.write(ByteBuffer(string: ":\n\n"))
                case .failure(let reason):
                    let lines = reason.split(whereSeparator: \.isNewline).map { "data: " + $0 + "\n" }
                    try await writer.write(ByteBuffer(string: "event: failure\n" + lines.joined() + "\n"))
                    break events
                }
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }
}
#endif

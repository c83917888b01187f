// A text of the program that pages refer to.

#if Inspector
import Hummingbird

/// A text of the program that pages refer to: the stylesheet, the script, the icon.
protocol Asset: Page {
    static var mediaType: String { get }
    static var text: String { get }
}

extension Asset {
    static var address: Address { Address(path: path.split(separator: "/").map(String.init)) }

    static func response(to request: PageRequest) async throws -> Response {
        Response(
            status: .ok, headers: [.contentType: mediaType],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

/// The icon in the tab of a browser: a chest.
enum IconAsset: Asset {
    static let path = "/icon.svg"
    static let mediaType = "image/svg+xml"
    static let text = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#8a5a00" d="M2 7a4 4 0 0 1 4-4h4a4 4 0 0 1 \
        4 4z"/><path fill="#b97f16" d="M2 8h5v2h2V8h5v5H2z"/></svg>

        """
}
#endif

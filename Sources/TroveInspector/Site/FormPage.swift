// Pages with forms that are sent by POST.

#if Inspector
import Hummingbird

/// A page with forms that are sent by POST. The guard has refused forms of other servers.
protocol FormPage: Page {
    /// Returns the answer to a form with the token of forms.
    static func response(to form: PageForm, _ request: PageRequest) async throws -> Response

    /// Whether a form of the page can write into the store. Without the option, such a page takes no form.
    static var mayWrite: Bool { get }
}

extension FormPage {
    static var mayWrite: Bool { true }
}

/// The fields of a form.
struct PageForm: Sendable {
    private let fields: [String: String]
    private static let tokenName = "form"

    /// Reads a form as browsers send it. A field that is not encoded UTF-8 is left out.
    init(_ body: ByteBuffer) { fields = RequestTarget("/?" + String(buffer: body)).query }

    /// The value of a field; nil if the form does not have it.
    subscript(_ name: String) -> String? { fields[name] }

    /// Returns whether the form comes from a page with a token.
    func has(_ token: SecretToken) -> Bool { fields[Self.tokenName].map(token.matches) ?? false }

    /// Returns a form with a button, the token and hidden fields.
    ///
    /// - Parameter content: The other fields.
    static func html(
        _ button: String, to action: Address, _ token: SecretToken, _ fields: KeyValuePairs<String, String?>,
        @HTMLBuilder content: () -> HTML = { HTML() }
    ) -> HTML {
        Tag.form(.class("lines"), .method("post"), .action(action)) {
            hidden(tokenName, token.text)
            for (name, value) in fields {
                if let value { hidden(name, value) }
            }
            content()
            Tag.button(.type("submit")) { button }
        }
    }

    private static func hidden(_ name: String, _ value: String) -> HTML {
        Tag.input(.type("hidden"), .name(name), .value(value))
    }
}

extension Site {
    /// Returns the answer of a page to a form. A form without the token is refused.
    func response(of page: any FormPage.Type, toForm request: Request) async -> Response {
        var request = request
        do {
            let body = try await request.collectBody(upTo: RequestGuard.bodyLimit)
            let form = PageForm(body)
            guard form.has(formToken) else { return Refusal.wrongForm.response }
            let pageRequest = PageRequest(site: self, target: RequestTarget(request), body: body, path: page.path)
            do {
                return try await page.response(to: form, pageRequest)
            } catch {
                return ErrorPage.response(to: pageRequest, error)
            }
        } catch {
            return Refusal.tooLarge.response
        }
    }
}

extension Response {
    /// An answer to a form: the browser loads another page.
    static func redirect(to address: Address) -> Response {
        Response(status: .seeOther, headers: [.location: address.text])
    }
}
#endif

import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Kinds of bodies and of credentials that are chosen again.
@Suite struct FormerKindsTests {
    static let bodies: [SavedBody] = [
        .json(JSONContent(.object([.init("a", .number("1.50"))]))), .text(TextContent("hello")),
        .form(FormContent([Field("a", "b", enabled: false)])),
        .multipart(MultipartContent([MultipartPart("f", .file("a.png")), MultipartPart("t", .text("x"))])),
        SavedBody(.graphql, text: "{ me { id } }"),
    ]

    @Test(arguments: bodies)
    func `a body comes back with its kind, whatever kinds were looked at meanwhile`(body: SavedBody) {
        for kind in SavedBody.Kind.allCases where kind != body.kind {
            var request = SavedRequest(name: "r", path: "/", body: body)
            request.changeBody(to: kind)
            request.changeBody(to: nil)
            #expect(request.body == nil)
            request.changeBody(to: .file)
            request.changeBody(to: body.kind)
            #expect(request.body == body, "by way of \(kind)")
        }
    }

    @Test func `a body that was edited takes the place of those it can be converted to`() {
        var request = SavedRequest(name: "r", path: "/", body: Self.bodies[0])
        request.changeBody(to: .text)
        request.body = .text(TextContent("{\"b\": 2}"))
        request.changeBody(to: .json)
        #expect(request.body == .json(JSONContent(.object([.init("b", .number("2"))]))))
        request.changeBody(to: .text)
        #expect(request.body == .text(TextContent("{\"b\": 2}")))
    }

    @Test func `the bodies of both kinds stay where neither can be converted`() {
        var request = SavedRequest(name: "r", path: "/", body: Self.bodies[3])
        request.changeBody(to: .file)
        let file = SavedBody.file(FileContent("b.png"))
        request.body = file
        request.changeBody(to: .multipart)
        #expect(request.body == Self.bodies[3])
        request.changeBody(to: .file)
        #expect(request.body == file)
    }

    @Test func `credentials come back with their kind`() {
        let bearer = SavedAuthentication.bearer(BearerAuthentication(token: "{{token}}"))
        var request = SavedRequest(name: "r", path: "/", authentication: bearer)
        for kind: SavedAuthentication.Kind? in [.basic, nil, .noAuthentication] {
            request.changeAuthentication(to: kind)
            request.changeAuthentication(to: .bearer)
            #expect(request.authentication == bearer)
        }
    }

    @Test func `requests are equal, and written alike, whatever they had before`() {
        let plain = SavedRequest(name: "r", path: "/", body: Self.bodies[0])
        var changed = plain
        changed.changeBody(to: .file)
        changed.changeBody(to: .json)
        #expect(changed == plain && changed.json == plain.json)
    }
}

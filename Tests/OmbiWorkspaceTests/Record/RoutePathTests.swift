import Testing

@testable import OmbiWorkspace

/// Paths of recorded traffic, and the routes that they are samples of.
@Suite struct RoutePathTests {
    @Test(arguments: [
        ("/", "/"), ("/users", "/users"), ("/users/42", "/users/:userId"), ("/users/42/", "/users/:userId/"),
        ("/users/42/orders/7", "/users/:userId/orders/:orderId"), ("/users/me", "/users/me"),
        ("/api/v1/users", "/api/v1/users"), ("/categories/3", "/categories/:categoryId"),
        ("/boxes/3", "/boxes/:boxId"), ("/addresses/9", "/addresses/:addressId"),
        ("/status/5", "/status/:statusId"), ("/order-items/12", "/order-items/:orderItemId"), ("/42", "/:id"),
        ("/42/43", "/:id/:id2"), ("/users/7/users/8", "/users/:userId/users/:userId2"),
        ("/files/42.json", "/files/:fileId.json"), ("/files/report.pdf", "/files/report.pdf"),
        ("/docs/0b9f3a52-8a6b-4f0e-9c53-2f8f3d1d6c1a", "/docs/:docId"), ("/commits/deadbeef", "/commits/deadbeef"),
        ("/commits/3f2a1b9c", "/commits/:commitId"), ("/posts/507f1f77bcf86cd799439011", "/posts/:postId"),
        ("/reports/2026-11-28", "/reports/:date"), ("/orders/ord_8f2kQ1xZ9", "/orders/:orderId"),
        ("/events/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/events/:eventId"),
        ("/posts/how-to-write-2-letters", "/posts/how-to-write-2-letters"), ("/a/b%20c", "/a/b%20c"),
        ("/products/sku-1234", "/products/sku-1234"),
        ("/share/eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJlMTIz", "/share/:token"),
    ])
    func `identifiers become parameters, and words stay`(path: String, pattern: String) {
        #expect(RoutePath(path).pattern == pattern)
    }

    @Test func `a parameter has the value of the sample`() {
        let route = RoutePath("/users/42/files/9f8e7d6c.png")
        #expect(route.parameters == [Field("userId", "42"), Field("fileId", "9f8e7d6c")])
    }

    @Test(arguments: [
        ("/users/42", "/users/:userId", true), ("/users/42", "/users/:id", true), ("/users/42", "/users/7", true),
        ("/users/42", "/users/{{user}}", true), ("/users/42", "/users/me", false), ("/users/42", "/users", false),
        ("/users/me", "/users/me", true), ("/users/me", "/users/:userId", false),
        ("/shops/berlin", "/shops/:slug", true),
        ("/files/1.json", "/files/:id.json", true), ("/files/1.json", "/files/:id.xml", false),
    ])
    func `a saved request is known by its path`(path: String, saved: String, isKnown: Bool) {
        #expect(RoutePath(path).matches(saved, [Field("slug", "berlin"), Field("userId", "7")]) == isKnown)
    }
}

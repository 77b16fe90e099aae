extension Router {
    /// Returns every route of the demo API, over fresh data.
    static func demoRoutes() -> [Route] {
        let groups: [[Route]] = [
            shopRoutes(Shop()), reliabilityRoutes(Counters()), authenticationRoutes, signatureRoutes,
            oauthRoutes(TokenIssuer()), redirectRoutes, pageRoutes, streamRoutes, webSocketRoutes,
            sizeRoutes, contentRoutes, oddBodyRoutes, echoRoutes,
        ]
        let routes = groups.flatMap { $0 }
        let index = JSON.object([("name", "Ombi demo API"), ("routes", .array(routes.map { $0.json }))])
        return [Route("GET", "/", "this list") { _ in .json(index) }] + routes
    }
}

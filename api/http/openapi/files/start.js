SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#docs", deepLinking: true, tryItOutEnabled: true, validatorUrl: null,
  layout: "BaseLayout", defaultModelsExpandDepth: 0, docExpansion: "list",
});

// A program as a reader of the API would write it: it compiles only if the description has these operations and fields.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const client = createClient<paths, "application/json" | "application/problem+json">({ baseUrl: "http://localhost:8000" });

export async function failing(): Promise<string[]> {
  const { data, error } = await client.GET("/v1/claims", { params: { query: { verdict: "stale", limit: 10 } } });
  if (error) throw new Error(`${error.title}: ${error.detail}`);
  return data.items.map((status: components["schemas"]["ClaimStatus"]) => `${status.id} ${status.verdict ?? "-"}`);
}

export async function health(brain: string, slug: string): Promise<components["schemas"]["HealthState"] | undefined> {
  const { data } = await client.GET("/v1/nodes/{brain}/{slug}/health", { params: { path: { brain, slug } } });
  return data?.items[0]?.state;
}

export async function value(claim: string): Promise<number | null | undefined> {
  const params = { path: { claim }, query: { as_of: "2026-11-21" } };
  const { data } = await client.GET("/v1/claims/{claim}/evaluate", { params });
  return data?.value;
}

export async function problems(): Promise<components["schemas"]["Problem"][]> {
  const { data } = await client.GET("/v1/documents");
  return data?.items.flatMap((document) => document.problems) ?? [];
}

export async function ingest(token: string, name: string, text: string): Promise<number> {
  const { data, error } = await client.POST("/v1/documents", {
    params: { query: { name } },
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "text/markdown" },
    body: text,
    bodySerializer: (body) => body as string,
  });
  if (error) throw new Error(error.near?.join(", ") ?? error.detail);
  return data.documents.length;
}

// A misspelt field must not compile: the types are closed to reading what is not described.
export async function misspelt(): Promise<void> {
  const { data } = await client.GET("/v1/tags");
  // @ts-expect-error there is no `tagg`
  data?.items[0]?.tagg;
}
